/** HTML as a tagged template: inserted values are escaped unless they were made by the same tag. */
export interface Html {
  readonly html: string
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function html(parts: TemplateStringsArray, ...values: (string | Html | undefined)[]): Html {
  const inserts = values.map((value = '') => (typeof value === 'string' ? escape(value) : value.html))
  return { html: String.raw({ raw: parts }, ...inserts) }
}

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!)
