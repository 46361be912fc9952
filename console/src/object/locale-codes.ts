/** The ISO codes of languages and countries with their names. The browser knows the names but has no list of the codes. */

const languages =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lb lo lt lv mk ml mn mr ms mt my nb ne nl nn pa pl pt rm ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh zu'
const regions =
  'AE AL AM AR AT AU AZ BA BD BE BG BH BO BR BY CA CH CL CN CO CR CY CZ DE DK DO DZ EC EE EG ES FI FR GB GE GR GT HK HN HR HU ID IE IL IN IQ IR IS IT JO JP KE KG KH KR KW KZ LA LB LI LK LT LU LV LY MA MC MD ME MK MM MN MT MX MY NG NI NL NO NP NZ OM PA PE PH PK PL PR PT PY QA RO RS RU SA SE SG SI SK SN SV SY TH TN TR TW TZ UA US UY UZ VE VN YE ZA'
const codes = { language: languages, region: regions }

/** As choices, by name in the given language. */
export function codesOf(type: keyof typeof codes, inLanguage: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([inLanguage], { type })
  return codes[type]
    .split(' ')
    .map((value) => ({ value, label: `${names.of(value) ?? value} (${value})` }))
    .toSorted((a, b) => a.label.localeCompare(b.label, inLanguage))
}
