/** The subset of Markdown that descriptions use: paragraphs, tables, `code`, **bold** and line breaks. */
import { html, type Html } from '../core/http/html.ts'

export const joined = (parts: readonly Html[]): Html => ({ html: parts.map((part) => part.html).join('') })

export function markdown(text = ''): Html {
  const blocks = text.split('\n\n').filter((block) => block !== '')
  return joined(blocks.map((block) => (block.startsWith('|') ? table(block) : html`<p>${inline(block)}</p>`)))
}

export function inline(text = ''): Html {
  const escaped = html`${text}`.html
  return { html: marks.reduce((text, [mark, tags]) => text.replaceAll(mark, tags), escaped) }
}
const marks = [
  [/`([^`]+)`/g, '<code>$1</code>'],
  [/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'],
  [/&lt;br&gt;/g, '<br />'],
] as const

function table(block: string): Html {
  const [head, , ...rows] = block.split('\n').map((line) => line.slice(1, -1).split(/(?<!\\)\|/))
  const cells = (tag: 'th' | 'td', row: readonly string[] = []) => {
    const cell = (text: string) => `<${tag}>${inline(text.trim().replaceAll('\\|', '|')).html}</${tag}>`
    return { html: `<tr>${row.map(cell).join('')}</tr>` }
  }
  return html`<div class="wide">
    <table>
      <thead>
        ${cells('th', head)}
      </thead>
      <tbody>
        ${joined(rows.map((row) => cells('td', row)))}
      </tbody>
    </table>
  </div>`
}
