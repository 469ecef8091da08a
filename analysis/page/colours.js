// SPDX-License-Identifier: LGPL-2.1-only
// Colours, in light and dark. Code that draws by itself registers with onColours to be drawn again when they change.

// Okabe and Ito, "Color Universal Design" (2008), without yellow: as in the report's plots. Black becomes white in dark.
const palettes = {
  light: ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"],
  dark: ["#4AA8E0", "#FF8A3D", "#2DCB9C", "#E39AC4", "#F0B429", "#8FD0F7", "#FFFFFF"],
};
// P. Tol, "Colour Schemes" (SRON/EPS/TN/09-002, 2021), YlOrBr without its lightest two: more is darker on white, and
// lighter on black.
const heat = ["#FEE391", "#FEC44F", "#FB9A29", "#EC7014", "#CC4C02", "#993404", "#662506"];

const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");
let theme = "system";
const listeners = new Set();

const isDark = () => (theme === "system" ? systemIsDark.matches : theme === "dark");
const cssColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const seriesColour = (index) => (index < 0 ? cssColour("faint") : palettes[isDark() ? "dark" : "light"][index % 7]);

// share: 0 to 1.
function heatColour(share) {
  const step = Math.min(heat.length - 1, Math.max(0, Math.floor(share * heat.length)));
  return isDark() ? heat[heat.length - 1 - step] : heat[step];
}

// [red, green, blue] of "#rrggbb".
function channels(colour) {
  const value = parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function mixed(colour, other, share) {
  const a = channels(colour), b = channels(other);
  return a.map((value, i) => value + (b[i] - value) * share);
}

function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  document.getElementById("theme").textContent = `Theme: ${theme}`;
  for (const draw of listeners) draw();
}

function onColours(draw) { listeners.add(draw); }
function forgetDrawings() { listeners.clear(); }

function startTheme() {
  const next = { system: "light", light: "dark", dark: "system" };
  document.getElementById("theme").addEventListener("click", () => { theme = next[theme]; applyTheme(); });
  systemIsDark.addEventListener("change", applyTheme);
  // Paper is white.
  let before = theme;
  window.addEventListener("beforeprint", () => { before = theme; theme = "light"; applyTheme(); });
  window.addEventListener("afterprint", () => { theme = before; applyTheme(); });
  applyTheme();
}
