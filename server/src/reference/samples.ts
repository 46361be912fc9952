/** A call as a curl command, in every format that it supports, with its reply. */
import type { Content, Operation, Reply } from '@kontor/contract'
import { html, type Html } from '../core/http/html.ts'
import { joined } from './markdown.ts'

const names = new Map([
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['application/json+compact', 'compact'],
])
const lineWidth = 66

export function samples(method: string, path: string, { requestBody, responses }: Operation): Html {
  const [reply] = Object.values(responses) as Reply[]
  const spoken = [...names.keys()].filter((media) => requestBody?.content[media] ?? reply!.content?.[media])
  return joined(
    spoken.map((media) => {
      const answer = exampleOf(reply!.content, media) ?? exampleOf(reply!.content, 'text/plain')
      const format = spoken.length > 1 ? names.get(media)! : 'only'
      return html`<div class="sample ${format}">
        ${codeBlock('Request', curl(method, path, media, requestBody?.content[media]?.example))}
        ${answer === undefined ? undefined : codeBlock('Reply', answer)}
      </div>`
    }),
  )
}

/** A block of code with a copy button, which is only visible if scripts run. */
export function codeBlock(title: string, code: string): Html {
  return html`<figure>
    <figcaption>${title}<button type="button" class="copy" hidden>Copy</button></figcaption>
    <pre tabindex="0"><code>${highlighted(code)}</code></pre>
  </figure>`
}

function curl(method: string, path: string, media: string, example: unknown): string {
  const address = `"$KONTOR${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`
  const lines = [
    method === 'get' ? `curl ${address}` : `curl -X ${method.toUpperCase()} ${address}`,
    `  -H "Authorization: Bearer $TOKEN"`,
    `  -H 'Accept: ${media}'`,
    ...(example === undefined
      ? []
      : [`  -H 'Content-Type: ${media}'`, `  -d '${textOf(example).replaceAll("'", "'\\''")}'`]),
  ]
  return lines.join(' \\\n')
}

function exampleOf(content: Content | undefined, media: string): string | undefined {
  const example = content?.[media]?.example
  return example === undefined ? undefined : textOf(example)
}

/** An example as text: XML as it is, JSON formatted. */
export const textOf = (example: unknown) => (typeof example === 'string' ? example : formatJson(example))

/**
 * JSON formatted for reading: a value that fits stays on one line, and a container with a single element takes no line of
 * its own. `used` is the number of characters on the line so far.
 */
function formatJson(value: unknown, indent = '', used = 0): string {
  const flat = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
  if (typeof value !== 'object' || value === null || used + flat.length <= lineWidth) return flat
  const isList = Array.isArray(value)
  const [open, close] = isList ? '[]' : '{}'
  const entries = Object.entries(value).map(
    ([name, part]) => [isList ? '' : `${JSON.stringify(name)}: `, part] as const,
  )
  const only = entries.length === 1 ? entries[0] : undefined
  if (only) return `${open} ${only[0]}${formatJson(only[1], indent, used + only[0].length + 4)} ${close}`
  const deeper = `${indent}  `
  const parts = entries.map(([key, part]) => deeper + key + formatJson(part, deeper, deeper.length + key.length))
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

/** Property names and tags in one colour, values in another. */
function highlighted(code: string): Html {
  const token = /("(?:[^"\\\n]|\\.)*")(?=\s*:)|("(?:[^"\\\n]|\\.)*")|(<\/?[\w?]+|\??\/?>)|( -\w |^curl)/gm
  const parts = [...code.matchAll(token)]
  let end = 0
  const pieces = parts.map((match) => {
    const before = code.slice(end, match.index)
    end = match.index + match[0].length
    const kind = match[2] ? 'value' : 'name'
    return html`${before}<span class="${kind}">${match[0]}</span>`
  })
  return joined([...pieces, html`${code.slice(end)}`])
}
