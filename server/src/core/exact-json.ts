/**
 * JSON that keeps an int64 exact, for values that are stored and read back.
 *
 * Numbers above 2^53 are bigints in memory; JSON.stringify rejects them and JSON.parse would round them. They are rare, so
 * both functions use the much faster plain way until such a number occurs.
 */
export function toExactJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? rawJSON(part.toString()) : part))
  }
}

export function fromExactJson<T>(text: string): T {
  return /\d{16}/.test(text) ? (parse(text, keepDigits) as T) : (JSON.parse(text) as T)
}

function keepDigits(_key: string, value: unknown, { source = '' }: { source?: string }): unknown {
  return typeof value === 'number' && /^-?\d{16,}$/.test(source) && !Number.isSafeInteger(value)
    ? BigInt(source)
    : value
}

/** Not yet declared in the library of TypeScript. */
const { rawJSON, parse } = JSON as unknown as {
  rawJSON(text: string): unknown
  parse(text: string, revive: typeof keepDigits): unknown
}
