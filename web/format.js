// Figures as people read them.

// "0:42", "12:05", "1:02:03": seconds on a clock.
export function clock(seconds) {
  if (!Number.isFinite(seconds)) return "-";
  const whole = Math.max(0, Math.floor(seconds + 1e-6)); // as a clock shows it, and as the terminal does
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

// "8.4 s", "2 min 5 s", "3 h 10 min": how long something took.
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "-";
  if (seconds < 100) return `${figure(seconds, seconds < 10 ? 2 : 3)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// With that many significant digits, without an exponent where it can be avoided.
export function figure(value, digits = 4) {
  if (!Number.isFinite(value)) return "-";
  return String(Number(value.toPrecision(digits)));
}

export function percent(share) {
  return Number.isFinite(share) ? `${Math.round(100 * share)}%` : "-";
}

// "1 job", "4 jobs"
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
