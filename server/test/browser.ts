/** The parts of a browser that signing in needs: cookies by path, redirects one by one, and forms. */
export interface Browser {
  get(url: string): Promise<Response>
  post(url: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  /** Follows redirects up to a page, or to a URL that starts with `until`, which is not fetched. */
  follow(reply: Response, until: string): Promise<{ url: string; page?: string }>
  cookies(): string[]
}

interface Cookie {
  name: string
  value: string
  path: string
}

export function createBrowser(): Browser {
  let jar: Cookie[] = []
  const keep = (line: string) => {
    const [pair = '', ...attributes] = line.split(/; */)
    const [name = '', value = ''] = pair.split('=')
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/'
    jar = jar.filter((cookie) => cookie.name !== name || cookie.path !== path)
    if (value !== '') jar.push({ name, value, path })
  }
  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(url)
    const cookie = jar
      .filter(({ path }) => pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const headers = { accept: 'text/html', cookie, ...(init.headers as Record<string, string>) }
    const reply = await fetch(url, { ...init, headers, redirect: 'manual' })
    reply.headers.getSetCookie().forEach(keep)
    return reply
  }
  return {
    get: (url) => send(url),
    post: (url, fields, headers = {}) => send(url, { method: 'POST', body: new URLSearchParams(fields), headers }),
    async follow(reply, until) {
      let [current, url] = [reply, reply.url]
      while (current.headers.has('location')) {
        url = new URL(current.headers.get('location')!, url).href
        if (url.startsWith(until)) return { url }
        current = await send(url)
      }
      return { url, page: await current.text() }
    },
    cookies: () => jar.map(({ name }) => name),
  }
}

/** Opens an authorization URL, fills in the login page, and returns the redirect URL with the code. */
export async function logInAt(
  browser: Browser,
  url: string,
  callback: string,
  { name, password }: { name: string; password: string },
): Promise<URL> {
  const { url: form } = await browser.follow(await browser.get(url), callback)
  const reply = await browser.post(form, { username: name, password })
  return new URL((await browser.follow(reply, callback)).url)
}
