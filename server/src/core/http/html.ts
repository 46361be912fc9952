/** HTML as a tagged template: what is put in is escaped, unless it is HTML made the same way. */
export interface Html {
  readonly html: string
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function html(parts: TemplateStringsArray, ...values: (string | Html | undefined)[]): Html {
  const inserts = values.map((value = '') => (typeof value === 'string' ? escape(value) : value.html))
  return { html: String.raw({ raw: parts }, ...inserts) }
}

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!)
