/** Typed arrays use the machine's byte order. Vector texts are little-endian, as nearly all machines are. */
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Swaps bytes in place between the machine's order and that of the texts. */
function inOrder(bytes: Buffer): Buffer {
  return LITTLE_ENDIAN ? bytes : bytes.swap32();
}

/**
 * A vector as it travels between services: base64 of its little-endian 32-bit floats, a third of the size of its
 * numbers as JSON.
 */
export function vectorText(vector: Float32Array): string {
  return inOrder(Buffer.from(Float32Array.from(vector).buffer)).toString("base64");
}

/**
 * The vector of such a text.
 * @throws {RangeError} when the text does not hold one
 */
export function vectorOf(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0) throw new RangeError("This is not a vector.");
  const vector = new Float32Array(bytes.length / 4);
  inOrder(bytes).copy(new Uint8Array(vector.buffer));
  return vector;
}
