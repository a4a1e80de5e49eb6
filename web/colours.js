// Colours: those of page.css, and those that tell jobs apart.

// A colour of page.css.
export function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// "#0072b2" with so much of what lies below seen through.
export function faint(colour, share) {
  return colour + Math.round(255 * share).toString(16).padStart(2, "0");
}

// The colours of Okabe and Ito, told apart with any kind of colour blindness, for the jobs that used most cores.
export const kColours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#7a5195"];
export const kOtherColour = "#8a8f98";
