// SPDX-License-Identifier: LGPL-2.1-only
// The events of a run out of the page's data (analysis/page/timeline_json.h): every call, in columns, and the shares of
// the states where there are too many calls.

// The states of a rank, by number.
const stateNames = ["computing", "communicating", "waiting"];
const computing = 0, communicating = 1, waiting = 2;

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Whole numbers in base 128, one after another.
class Numbers {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  next() {
    let value = 0, factor = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  }
}

// Calls of all ranks: of rank r those from first[r] to first[r + 1]; the waits of call c from waitFirst[c] on.
function decodeCalls(data) {
  const { calls, ranks } = data;
  const tick = (calls.to_s - calls.from_s) / calls.ticks;
  const numbers = new Numbers(bytesOf(calls.rows));
  const first = new Uint32Array(ranks + 1);
  const from = [], to = [], fn = [], waitFirst = [], waitFrom = [], waitTo = [], waitFor = [];
  for (let rank = 0; rank < ranks; ++rank) {
    first[rank] = from.length;
    let at = 0;
    for (let left = numbers.next(); left > 0; --left) {
      at += numbers.next();
      const begin = at;
      fn.push(numbers.next());
      at += numbers.next();
      from.push(calls.from_s + begin * tick);
      to.push(calls.from_s + at * tick);
      waitFirst.push(waitFrom.length);
      let moment = begin;
      for (let waits = numbers.next(); waits > 0; --waits) {
        moment += numbers.next();
        waitFrom.push(calls.from_s + moment * tick);
        moment += numbers.next();
        waitTo.push(calls.from_s + moment * tick);
        waitFor.push(numbers.next() - 1);
      }
    }
  }
  first[ranks] = from.length;
  waitFirst.push(waitFrom.length);
  return {
    first, from: Float64Array.from(from), to: Float64Array.from(to), fn: Uint16Array.from(fn), waitFirst: Uint32Array.from(waitFirst),
    waitFrom: Float64Array.from(waitFrom), waitTo: Float64Array.from(waitTo), waitFor: Int32Array.from(waitFor),
  };
}

function timelineData(data) {
  const calls = decodeCalls(data);
  const cells = data.shares ? bytesOf(data.shares.cells) : null;
  const end = data.times.end;

  // The first call of a rank that ends after a moment.
  function callAfter(rank, time) {
    let low = calls.first[rank], high = calls.first[rank + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (calls.to[middle] > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }
  // The call of a rank at a moment, or -1.
  function callAt(rank, time) {
    const call = callAfter(rank, time);
    return call < calls.first[rank + 1] && calls.from[call] <= time ? call : -1;
  }
  // Whether every call from one moment to another is here.
  const isWhole = (from, to) => !data.calls.left_out || (from >= data.calls.from_s && to <= data.calls.to_s);

  // Tells visit(from, to, state, function) what a rank does between two moments.
  function eachCall(rank, from, to, visit) {
    let at = from;
    for (let c = callAfter(rank, from); c < calls.first[rank + 1] && calls.from[c] < to; ++c) {
      if (calls.from[c] > at) visit(at, calls.from[c], computing, -1);
      at = Math.max(from, calls.from[c]);
      for (let w = calls.waitFirst[c]; w < calls.waitFirst[c + 1]; ++w) {
        if (calls.waitTo[w] <= from || calls.waitFrom[w] >= to) continue;
        if (calls.waitFrom[w] > at) visit(at, calls.waitFrom[w], communicating, calls.fn[c]);
        visit(Math.max(from, calls.waitFrom[w]), Math.min(to, calls.waitTo[w]), waiting, calls.fn[c]);
        at = calls.waitTo[w];
      }
      if (at < to && calls.to[c] > at) visit(at, Math.min(to, calls.to[c]), communicating, calls.fn[c]);
      at = Math.max(at, calls.to[c]);
    }
    const last = Math.min(to, end[rank]);
    if (last > at) visit(at, last, computing, -1);
  }
  // The same of the columns of shares; the states of a column stand one after another.
  function eachShare(rank, from, to, visit) {
    const columns = data.shares.columns, width = data.end_s / columns;
    const last = Math.min(columns - 1, Math.floor(to / width));
    for (let column = Math.max(0, Math.floor(from / width)); column <= last; ++column) {
      const cell = (rank * columns + column) * 4;
      const begin = Math.max(from, column * width), until = Math.min(to, (column + 1) * width);
      if (until <= begin) continue;
      const fn = cells[cell] - 1;
      for (let state = 0; state < stateNames.length; ++state) {
        const share = cells[cell + 1 + state] / 255;
        if (share > 0) visit(begin, until, state, state === computing ? -1 : fn, share);
      }
    }
  }
  // Stretches in which any rank is in a call, in the order of time.
  function busyStretches() {
    const order = Array.from(calls.from.keys()).sort((a, b) => calls.from[a] - calls.from[b]);
    const busy = [];
    for (const c of order) {
      const last = busy.at(-1);
      if (last && calls.from[c] <= last.to) {
        last.to = Math.max(last.to, calls.to[c]);
        ++last.calls;
      } else busy.push({ from: calls.from[c], to: calls.to[c], calls: 1 });
    }
    return busy;
  }
  // Cuts where a pause takes more than nine tenths of a part.
  function partsOf(busy, from, to) {
    let longest = 0, at = 0;  // the pause before busy[at]
    for (let i = 0; i <= busy.length; ++i) {
      const pause = (i < busy.length ? busy[i].from : to) - (i > 0 ? busy[i - 1].to : from);
      if (pause > longest) [longest, at] = [pause, i];
    }
    if (longest <= 0.9 * (to - from)) return [{ from, to, calls: busy.reduce((sum, stretch) => sum + stretch.calls, 0) }];
    if (at === 0) return partsOf(busy, busy[0].from, to);
    if (at === busy.length) return partsOf(busy, from, busy[at - 1].to);
    return [...partsOf(busy.slice(0, at), from, busy[at - 1].to), ...partsOf(busy.slice(at), busy[at].from, to)];
  }
  // The parts of the run that work, where it pauses for much longer than it works; else all of it. With a margin.
  function busyParts() {
    const all = [{ from: 0, to: data.end_s, calls: 0 }];
    if (!data.calls.left_out) {
      const busy = busyStretches();
      return busy.length === 0 ? all : partsOf(busy, 0, data.end_s).map((part) => {
        const room = (part.to - part.from) / 50;
        return { from: Math.max(0, part.from - room), to: Math.min(data.end_s, part.to + room), calls: part.calls };
      });
    }
    let used = 0;
    for (let column = 0; column < data.shares.columns; ++column) {
      for (let rank = 0; rank < data.ranks; ++rank) {
        if (cells[(rank * data.shares.columns + column) * 4] === 0) continue;
        ++used;
        break;
      }
    }
    return used < data.shares.columns / 10 ? [{ from: data.calls.from_s, to: data.calls.to_s, calls: 1 }] : all;
  }
  return { busyParts, calls, callAt, callAfter, isWhole, eachCall, eachShare };
}
