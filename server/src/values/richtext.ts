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
/** The time of the parser grows with the square of this. Elements below `nestingLimit` are left out, their texts are kept. */
const maxDepth = 1000
/** Dropping an element can leave others in places where a parser closes them; a second pass writes them as they are read. */
const maxPasses = 5

class TooDeep extends Error {}

/** Undefined if nothing is left that can be shown, or if the text is too large. Its own results are returned unchanged. */
export function readRichtext(text: string): string | undefined {
  let before = text
  for (let pass = 0; pass < maxPasses && before.length <= maxLength; pass++) {
    const after = sanitized(before)
    if (after === before) return after || undefined
    before = after
  }
  return undefined
}

function sanitized(text: string): string {
  let depth = 0
  const onOpenTag = () => {
    if (++depth > maxDepth) throw new TooDeep()
  }
  try {
    return sanitize(text, { ...options, onOpenTag, onCloseTag: () => void depth-- }).trim()
  } catch (error) {
    if (error instanceof TooDeep) return ''
    throw error
  }
}

/** The limits, for texts that can be above one of them. */
export const richtextHint = (text: string) =>
  text.length > maxDepth
    ? `its HTML can have at most ${maxLength} characters and ${maxDepth} elements inside each other`
    : undefined

/** Whether a text has no content, such as `<p></p>`, which editors send for an empty text. */
export const isBlankRichtext = (text: string) => text.length <= 1000 && blank.test(text)
const blank = /^(?:\s|&nbsp;|<\/?(?:p|br|div|span)\s*\/?>)*$/i
