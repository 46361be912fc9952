/** The language of an Accept-Language header among those that we have; the first one if none fits. */
export function preferredLanguage<L extends string>(accepted = '', known: readonly [L, ...L[]]): L {
  const wanted = accepted.split(',').map((part) => {
    const [tag = '', weight = 'q=1'] = part.split(';').map((piece) => piece.trim().toLowerCase())
    return { language: known.find((one) => one === tag.split('-')[0]), weight: Number(weight.replace('q=', '')) }
  })
  const [best] = wanted.filter((one) => one.language && one.weight > 0).toSorted((a, b) => b.weight - a.weight)
  return best?.language ?? known[0]
}
