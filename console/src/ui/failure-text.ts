/**
 * Failures in the language of the reader. The server says why it refuses in English, and adds a reason with parameters where
 * people are likely to meet it; other refusals have at least an error code.
 */
import { translator } from './language.tsx'
import { problemTexts } from './problem-texts.ts'

/** As the SDK has it. */
interface Refusal {
  /** In English. */
  readonly message: string
  readonly code?: string | undefined
  readonly reason?: string | undefined
  readonly parameters: Readonly<Record<string, string>>
  /** The attribute whose value is refused. */
  readonly attribute?: string
}

/** A refusal without the attribute that it is about. */
export function refusalText({ message, code = '', reason = '', parameters }: Refusal): string {
  const t = translator(problemTexts)
  if (isKnown(reason)) return t(reason, parameters)
  const key = `code_${code}`
  return isKnown(key) ? t('sentence', { text: t(key), message }) : message
}
const isKnown = (key: string): key is keyof typeof problemTexts.en => Object.hasOwn(problemTexts.en, key)

export function failureText(error: unknown): string {
  const { message = String(error), refusals = [] } = error as { message?: string; refusals?: readonly Refusal[] }
  if (refusals.length === 0) return message
  const t = translator(problemTexts)
  return refusals
    .map((refusal) => {
      const { attribute } = refusal
      const text = refusalText(refusal)
      return attribute === undefined ? text : t('about', { attribute, text })
    })
    .join('; ')
}
