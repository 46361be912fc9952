/** What the contract needs beyond ECMAScript. Every runtime it runs in (Node, browsers) has it. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string
}
