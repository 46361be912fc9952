/**
 * Texts of workflows for people: ids of objects and languages become names, and the texts of the shipped workflows are
 * translated. Workflows that an installation adds keep the words of their author.
 */
import { useTexts } from '../../ui/language.tsx'
import { humanise } from '../fields.ts'
import { hasKey } from '../labels.ts'
import { useContentLocales } from '../locales.ts'
import { outcomes, shippedWords } from './shipped-words.ts'
import type { Linked, Named } from './linked.ts'

interface Worded {
  readonly linkedObjects?: readonly Linked[] | undefined
  readonly item?: string | undefined
}

export interface Words {
  /** A name or a description of a workflow, a process or a task. */
  text(text: string | undefined, about?: Worded): string
  /** One of the values that a decision offers, as a button says it. */
  outcome(value: string): string
  /** The name of a language. */
  language(locale: string): string
}

export function useWords(nameOf?: Named): Words {
  const shipped = useTexts(shippedWords)
  const outcome = useTexts(outcomes)
  const locales = useContentLocales()
  const names = new Map(locales.map(({ tid, name }) => [tid, name]))
  const translate = (text: string, item?: string) => {
    const template = text.replace(item ?? '${item}', () => '{item}')
    return hasKey(shippedWords.en, template) ? shipped(template, { item: item ?? '…' }) : text
  }
  return {
    language: (locale) => names.get(locale) ?? locale,
    outcome: (value) => (hasKey(outcomes.en, value) ? outcome(value) : humanise(value)),
    text(text = '', { linkedObjects = [], item } = {}) {
      // a locale such as "is" or "no" is also a word
      const words = new Map([...names].filter(([tid]) => tid === item || tid.includes('_')))
      for (const object of linkedObjects) words.set(object.tid ?? '', nameOf?.(object)?.label ?? object.tid ?? '')
      return withWords(translate(text, item).replaceAll(/\$\{[^}]*\}/g, '…'), words)
    },
  }
}

/** Replaces whole ids in a text. The longest is tried first, because one may contain another. */
export function withWords(text: string, words: ReadonlyMap<string, string>): string {
  const ids = [...words.keys()].filter(Boolean).sort((a, b) => b.length - a.length)
  if (ids.length === 0) return text
  const any = ids.map((id) => id.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}_-])(?:${any})(?![\p{L}\p{N}_-])`, 'gu')
  return text.replaceAll(pattern, (id) => words.get(id)!)
}
