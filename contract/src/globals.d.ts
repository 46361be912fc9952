/** Globals that the contract uses beyond ECMAScript. Node and all browsers provide them. */
interface TextDecoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string
}
declare var TextDecoder: {
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder
}
