/** Names of files in the characters that every shop and file system accepts. */

const pairs =
  'ä ae ö oe ü ue ß ss æ ae œ oe ø o å a đ d ð d ł l þ th ı i ŋ ng ' +
  'а a б b в v г g д d е e ё e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ - ы y ь - э e ю yu я ya і i ї yi є ye ґ g ' +
  'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o'
const table = new Map<string, string>()
for (const [from, to] of pairs
  .split(' ')
  .map((word, i, all) => [word, all[i + 1]!] as const)
  .filter((_, i) => i % 2 === 0)) {
  const plain = to === '-' ? '' : to
  table.set(from, plain)
  const upper = from.toUpperCase()
  if (upper.length === 1) table.set(upper, plain.slice(0, 1).toUpperCase() + plain.slice(1))
}

/** Letters from a to z, digits, dot, hyphen and underscore. Other characters are transliterated or become a hyphen. */
export function plainCharacters(text: string, kept = ''): string {
  const letters = Array.from(text.normalize('NFC'), (one) => table.get(one) ?? one).join('')
  const bare = Array.from(letters.normalize('NFKD').replaceAll(/\p{M}+/gu, ''), (one) => table.get(one) ?? one)
  const plain = bare.map((one) => (/[\w.-]/.test(one) || (kept !== '' && one === kept) ? one : '-')).join('')
  return plain.replaceAll(/-{2,}/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '')
}
