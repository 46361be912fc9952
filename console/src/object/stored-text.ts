/** Sentences that the server has stored, in the language of the reader. */
import { reasons } from '@kontor/contract'
import { translator } from '../ui/language.tsx'
import { problemTexts } from '../ui/problem-texts.ts'

interface Pattern {
  readonly code: keyof typeof reasons
  readonly sentence: RegExp
}
let patterns: readonly Pattern[] | undefined

/** The sentences of the contract as patterns. Those with more text of their own come first, because `{path} exists` fits many. */
const patternsOf = (): readonly Pattern[] =>
  Object.entries(reasons)
    .map(([code, template]) => ({
      code: code as keyof typeof reasons,
      template,
      own: template.replaceAll(/\{\w+\}/g, '').length,
    }))
    .toSorted((a, b) => b.own - a.own)
    .map(({ code, template }) => ({ code, sentence: new RegExp(`^${toPattern(template)}$`, 's') }))

function toPattern(template: string): string {
  const seen = new Set<string>()
  return template
    .split(/\{(\w+)\}/)
    .map((part, i) => {
      if (i % 2 === 0) return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
      if (seen.has(part)) return String.raw`\k<${part}>`
      seen.add(part)
      return `(?<${part}>.*?)`
    })
    .join('')
}

const longestSentence = 2000

/**
 * A sentence that the server has stored, such as the refusal of a row or the failure of a job. It is recognised by its
 * template; others stay as they are, in English.
 */
export function storedText(sentences: string): string {
  return sentences
    .split(/; (?=attribute )/)
    .map((sentence) => {
      const [, attribute, rest = sentence] = /^attribute ([^\s:]+): (.*)$/s.exec(sentence) ?? []
      const text = recognised(rest)
      if (text === undefined) return sentence
      return attribute === undefined ? text : translator(problemTexts)('about', { attribute, text })
    })
    .join('; ')
}

function recognised(sentence: string): string | undefined {
  if (sentence.length > longestSentence) return undefined
  patterns ??= patternsOf()
  for (const { code, sentence: pattern } of patterns) {
    const found = pattern.exec(sentence)
    if (found) return translator(problemTexts)(code, { ...found.groups })
  }
  return undefined
}
