/** IDs that are made from names, so that nobody has to invent one. */

/** Letters that are not a base letter with an accent. */
const spelled: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th' }

/** `Länge über alles` becomes `laenge-ueber-alles`; a number is added if that is taken. */
export function newId(name: string, taken: Iterable<string> = []): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[äöü]/g, (letter) => `${{ ä: 'a', ö: 'o', ü: 'u' }[letter]}e`)
    .replaceAll(/[ßæœøłđðþ]/g, (letter) => spelled[letter]!)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  const others = new Set([...taken].map((id) => id.toLowerCase()))
  const id = plain || 'new'
  if (!others.has(id)) return id
  for (let number = 2; ; number++) if (!others.has(`${id}-${number}`)) return `${id}-${number}`
}
