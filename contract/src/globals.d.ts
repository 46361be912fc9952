/** Globals that the contract uses beyond ECMAScript. Node and all browsers provide them. */
interface TextDecoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string
}
declare var TextDecoder: {
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder
}
/** ECMAScript 2026; the compiler's library does not declare it yet. */
interface JSON {
  rawJSON(text: string): unknown
}
