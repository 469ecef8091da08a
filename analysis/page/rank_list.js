// SPDX-License-Identifier: LGPL-2.1-only
// Ranks as people write them: "0-3, 8". Nothing where the text is not such a list; all where it is empty.

function ranksOf(text, ranks) {
  const chosen = new Set();
  if (text.trim() === "") return null;
  for (const part of text.split(",")) {
    const match = part.trim().match(/^(\d+)(?:\s*-\s*(\d+))?$/);
    if (!match) return undefined;
    const from = Number(match[1]), to = Number(match[2] ?? match[1]);
    if (from > to || to >= ranks) return undefined;
    for (let rank = from; rank <= to; ++rank) chosen.add(rank);
  }
  return chosen;
}
