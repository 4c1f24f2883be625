/** A vector as it travels between services: base64 of its little-endian 32-bit floats, a third of what its numbers take as JSON. */
export function vectorText(vector: Float32Array): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4));
  vector.forEach((value, at) => bytes.setFloat32(at * 4, value, true));
  return Buffer.from(bytes.buffer).toString("base64");
}

/** The vector of such a text. Throws RangeError where it is none. */
export function vectorOf(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0) throw new RangeError("This is no vector.");
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}
