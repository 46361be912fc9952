/** Formatted text: a safe subset of HTML, which the server sanitises. */

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
/** Elements that begin a new line. */
const blocks = /<\/?(?:p|br|h[1-6]|li|ul|ol|tr|table|blockquote|pre)\b[^>]*>/g

/** The words of a formatted text that the server has stored, without its elements. */
export const plainText = (html: string): string =>
  html
    .replace(blocks, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity]!)
    .replaceAll(/\s+/g, ' ')
    .trim()
