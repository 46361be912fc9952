/** What the client needs of its surroundings. Browsers and Node both have it, under types of their own; these are enough. */
export interface Reply {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: Body | null
  text(): Promise<string>
  json(): Promise<unknown>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** A body of a reply. Not every browser lets one walk it with `for await`; a reader it has in all of them. */
interface Body {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array }>
    cancel(): Promise<void>
  }
}

/** A file or a part of one: `File` and `Blob` of browsers, and what `fs.openAsBlob` gives in Node. */
export interface FileLike {
  readonly size: number
  readonly name?: string
  slice(start: number, end: number): unknown
}

/** What ends a call early: an AbortSignal. */
export interface Signal {
  readonly aborted: boolean
  readonly reason?: unknown
  throwIfAborted(): void
}

interface Form {
  append(name: string, value: unknown, fileName?: string): void
}

interface Surroundings {
  fetch(
    url: string,
    request: { method: string; headers: Record<string, string>; body?: unknown; signal?: unknown },
  ): Promise<Reply>
  setTimeout(run: () => void, milliseconds: number): unknown
  crypto: { randomUUID(): string }
  URLSearchParams: new (fields: Record<string, string>) => { toString(): string }
  FormData: new () => Form
}

const { fetch, setTimeout, crypto, URLSearchParams, FormData } = globalThis as unknown as Surroundings
export { crypto, fetch, FormData, setTimeout, URLSearchParams }

/** A body piece by piece; whoever stops early lets the connection go. */
export async function* piecesOf(body: Body | null): AsyncGenerator<Uint8Array, void, void> {
  if (!body) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value!
    }
  } finally {
    await reader.cancel().catch(() => {}) // it has ended, or broken off, which the reading told already
  }
}
