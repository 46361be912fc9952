/** What the client needs of its surroundings. Browsers and Node both have it, under types of their own; these are enough. */
export interface Reply {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
  text(): Promise<string>
  json(): Promise<unknown>
  arrayBuffer(): Promise<ArrayBuffer>
}

interface Surroundings {
  fetch(
    url: string,
    request: { method: string; headers: Record<string, string>; body?: unknown; signal?: unknown },
  ): Promise<Reply>
  setTimeout(run: () => void, milliseconds: number): unknown
  crypto: { randomUUID(): string }
  URLSearchParams: new (fields: Record<string, string>) => { toString(): string }
}

export const { fetch, setTimeout, crypto, URLSearchParams } = globalThis as unknown as Surroundings
