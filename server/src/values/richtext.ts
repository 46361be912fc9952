/**
 * Formatted text. What people paste from other programs is reduced to a subset of HTML that is safe to show anywhere: no
 * scripts, styles, frames or event handlers, and links only to the web, to mail and to telephones.
 */
import sanitize from 'sanitize-html'

// prettier-ignore
const allowedTags = ['p', 'br', 'strong', 'em', 'u', 's', 'sub', 'sup', 'code', 'pre', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'a', 'hr', 'table', 'thead', 'tbody', 'tr', 'th', 'td']

const options: sanitize.IOptions = {
  allowedTags,
  allowedAttributes: { a: ['href', 'title'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nestingLimit: 30,
  transformTags: { b: 'strong', i: 'em', del: 's', strike: 's' },
}

/** Longer texts are refused unread. */
const maxLength = 1_000_000

/** Undefined if nothing is left that can be shown. */
export function readRichtext(text: string): string | undefined {
  if (text.length > maxLength) return undefined
  return sanitize(text, options).trim() || undefined
}
