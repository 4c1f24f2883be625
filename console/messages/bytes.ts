const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** Formats a size in a suitable unit, such as "1.5 MiB". */
export function bytesText(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${numbers.format(bytes / 1_024 ** unit)} ${UNITS[unit]}`;
}
