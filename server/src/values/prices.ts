/**
 * Prices: an amount per currency, such as `19.99 EUR; 21.5 USD`, in the order of the currencies of the definition. They are
 * searched and sorted in each currency by itself.
 */
import { amountsOfPrice, type FormatUnit, type Infer, partsOfMeasure, unitFinder } from '@kontor/contract'
import { readNumber } from './numbers.ts'

/** `€ 12.50` as well as `12.50 €`. */
const signFirst = /^([^\d+.-]+?)\s*([+-]?[\d.].*)$/s

export function priceRules(stored: readonly Infer<typeof FormatUnit>[]) {
  const currencies = stored.map(({ code, synonym }) => ({ code, ...(synonym && { synonyms: synonym }) }))
  const find = unitFinder(currencies)
  const codes = currencies.map(({ code }) => code)
  return {
    read(text: string) {
      const amounts = new Map<string, string>()
      for (const amount of amountsOfPrice(text)) {
        const parts = partsOfMeasure(amount.replace(signFirst, '$2 $1'))
        const number = parts && readNumber(parts.number)
        const code = parts && find(parts.unit)?.code
        if (number === undefined || code === undefined || amounts.has(code)) return undefined
        amounts.set(code, number)
      }
      if (amounts.size === 0) return undefined
      return codes.flatMap((code) => (amounts.has(code) ? [`${amounts.get(code)} ${code}`] : [])).join('; ')
    },
    expected: `a price such as 12.5 ${codes[0] ?? 'EUR'}`,
    hint: () => `expected at most one amount in each of ${codes.join(', ')}, separated by ;`,
    /** The amount in a currency. */
    amountIn: (code: string) => (text: string) => {
      const amount = amountsOfPrice(text).find((one) => one.endsWith(` ${code}`))
      return amount === undefined ? undefined : Number(amount.slice(0, -code.length - 1))
    },
    codes,
  }
}
