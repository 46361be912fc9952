/**
 * The globals that the client needs of its runtime. Browsers and Node both have them, but with different type
 * definitions; the SDK declares the small part it uses and so depends on neither.
 */
export interface Reply {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: Body | null
  text(): Promise<string>
  json(): Promise<unknown>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** The body of a reply. Some browsers do not support `for await` over it; `getReader()` works in all of them. */
interface Body {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array }>
    cancel(): Promise<void>
  }
}

/** A file or a part of one: `File` and `Blob` in browsers, the result of `fs.openAsBlob` in Node. */
export interface FileLike {
  readonly size: number
  readonly name?: string
  slice(start: number, end: number): unknown
}

/** An AbortSignal. */
export interface Signal {
  readonly aborted: boolean
  readonly reason?: unknown
  throwIfAborted(): void
}

interface Form {
  append(name: string, value: unknown, fileName?: string): void
}

interface Runtime {
  fetch(
    url: string,
    request: { method: string; headers: Record<string, string>; body?: unknown; signal?: unknown },
  ): Promise<Reply>
  setTimeout(run: () => void, milliseconds: number): unknown
  crypto: { randomUUID(): string }
  btoa(text: string): string
  URLSearchParams: new (fields: Record<string, string>) => { toString(): string }
  FormData: new () => Form
}

const { fetch, setTimeout, crypto, btoa, URLSearchParams, FormData } = globalThis as unknown as Runtime
export { btoa, crypto, fetch, FormData, URLSearchParams }

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds))

export const bytesOf = async (reply: Reply): Promise<Uint8Array> => new Uint8Array(await reply.arrayBuffer())

/** Reads a body chunk by chunk. A consumer that stops early closes the connection. */
export async function* chunksOf(body: Body | null): AsyncGenerator<Uint8Array, void, void> {
  if (!body) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value!
    }
  } finally {
    await reader.cancel().catch(() => {}) // the body has ended or failed; read() has already reported a failure
  }
}
