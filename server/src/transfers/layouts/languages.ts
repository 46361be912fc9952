/** Languages as trade catalogues write them: ISO 639-2 (deu), ISO 639-1 (de) or with a country (de-DE). */

/** ISO 639-1 and the terminological code of ISO 639-2. */
const codes = new Map(
  (
    'ar ara bg bul bs bos ca cat cs ces cy cym da dan de deu el ell en eng es spa et est eu eus fa fas fi fin fr fra ' +
    'ga gle gl glg he heb hi hin hr hrv hu hun hy hye id ind is isl it ita ja jpn ka kat kk kaz ko kor lb ltz lt lit ' +
    'lv lav mk mkd ms msa mt mlt nb nob nl nld nn nno no nor pl pol pt por ro ron ru rus sk slk sl slv sq sqi sr srp ' +
    'sv swe th tha tr tur uk ukr vi vie zh zho'
  )
    .match(/\S+ \S+/g)!
    .map((pair) => pair.split(' ') as [string, string]),
)

/** de_DE as deu; undefined if the language has no code here. */
export const threeLetters = (locale: string): string | undefined => codes.get(locale.split('_')[0]!)

function parsed(text: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(text.trim().replaceAll('_', '-'))
  } catch {
    return undefined
  }
}

/** The locale of content that a language of a document means: with the same country if it names one, else the first. */
export function localeFor(lang: string, locales: readonly string[]): string | undefined {
  const wanted = parsed(lang)
  if (!wanted) return undefined
  const same = locales.filter((locale) => parsed(locale)?.language === wanted.language)
  const exact = same.find((locale) => parsed(locale)?.region === wanted.region)
  return exact ?? (wanted.region === undefined ? same[0] : undefined)
}
