/** Patterns with placeholders in braces and optional parts in square brackets: `{product}[_{role}]`. */

/** `{$counter:001}` has the option `001`. */
export interface Placeholder {
  readonly name: string
  readonly option?: string
}
export type Part = string | Placeholder
export interface Section {
  readonly isOptional: boolean
  readonly parts: readonly Part[]
}

const maxOptional = 5

export function sectionsOf(template: string, refuse: (reason: string) => never): Section[] {
  const sections: { isOptional: boolean; parts: Part[] }[] = [{ isOptional: false, parts: [] }]
  for (const piece of template.split(/(\{[^{}]*\}|[[\]])/).filter(Boolean)) {
    const { isOptional, parts } = sections.at(-1)!
    if (piece === '[' || piece === ']') {
      if (isOptional !== (piece === ']'))
        refuse(`template: ${piece} has no partner; optional parts cannot contain others`)
      sections.push({ isOptional: piece === '[', parts: [] })
    } else if (/^\{.*\}$/s.test(piece)) parts.push(placeholderOf(piece.slice(1, -1).trim()))
    else if (/[{}]/.test(piece)) refuse(`template: a brace has no partner: ${piece.slice(0, 50)}`)
    else parts.push(piece)
  }
  if (sections.at(-1)!.isOptional) refuse('template: [ has no partner')
  const found = sections.filter(({ parts }) => parts.length > 0)
  if (found.filter(({ isOptional }) => isOptional).length > maxOptional)
    refuse(`template: more than ${maxOptional} optional parts`)
  return found
}

function placeholderOf(text: string): Placeholder {
  const [, name, option] = /^(\$[^:]*):(.*)$/s.exec(text) ?? []
  return name === undefined ? { name: text } : { name: name.trim(), option: option!.trim() }
}

/** `a.tar.gz` is `a.tar` and `.gz`; a name that begins with its only dot has no extension. */
export function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const at = name.lastIndexOf('.')
  return at > 0 ? { stem: name.slice(0, at), extension: name.slice(at) } : { stem: name, extension: '' }
}
