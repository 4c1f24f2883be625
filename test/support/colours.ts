/** Red, green and blue, each from 0 to 1, as sRGB encodes them. */
export type Colour = readonly [number, number, number];

export const parseHex = (hex: string): Colour =>
  [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16) / 255) as unknown as Colour;

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const encoded = (value: number) => {
  const bounded = Math.min(1, Math.max(0, value));
  return bounded <= 0.0031308 ? bounded * 12.92 : 1.055 * bounded ** (1 / 2.4) - 0.055;
};

const luminance = ([r, g, b]: Colour) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

/** The contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

type Matrix = readonly (readonly [number, number, number])[];
const times = (matrix: Matrix, [x, y, z]: Colour): Colour =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Colour;

const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** Converts to OKLab, in which equal distances look equal. */
export function oklab(colour: Colour): Colour {
  const cones = times(TO_CONES, colour.map(linear) as unknown as Colour);
  return times(TO_LAB, cones.map(Math.cbrt) as unknown as Colour);
}

export const distance = (one: Colour, other: Colour): number => Math.hypot(...one.map((value, n) => value - other[n]!));

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear light. */
const simulate =
  (matrix: Matrix) =>
  (colour: Colour): Colour =>
    times(matrix, colour.map(linear) as unknown as Colour).map(encoded) as unknown as Colour;

/** A colour as people with this kind of sight see it. */
export const VISIONS = {
  normal: (colour: Colour): Colour => colour,
  protan: simulate([
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ]),
  deutan: simulate([
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ]),
  tritan: simulate([
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ]),
};
export type Vision = keyof typeof VISIONS;
