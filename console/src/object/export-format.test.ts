import { describe, expect, test } from 'vitest'
import { choiceOf, type ExportFormat, formatChoices, hasPictures, withChoice, withProfile } from './export-format.ts'

const csv: ExportFormat = { format: 'csv', layout: undefined, profile: null }

describe('the format of an export', () => {
  test('is one of Kontor, or of another system', () => {
    expect(withChoice(csv, 'google:xml')).toEqual({ format: 'xml', layout: 'google', profile: null })
    expect(withChoice({ format: 'xml', layout: 'google', profile: null }, 'xlsx')).toEqual({ ...csv, format: 'xlsx' })
    for (const { value } of formatChoices) {
      const { format, layout = 'plain' } = withChoice(csv, value)
      expect(choiceOf(format, layout)).toBe(value)
    }
  })

  test('follows a profile with a layout that can be written', () => {
    expect(withProfile(csv, 'feed', 'google')).toEqual({ ...csv, profile: 'feed' })
    expect(withProfile({ ...csv, format: 'xlsx' }, 'feed', 'google')).toEqual({
      ...csv,
      format: 'xml',
      profile: 'feed',
    })
    expect(withProfile(csv, 'catalogue', 'bmecat')).toEqual({ format: 'xml', layout: undefined, profile: 'catalogue' })
  })

  test('stays with a profile without a layout, and is plain with one that is only read', () => {
    const bmecat: ExportFormat = { format: 'zip', layout: 'bmecat', profile: null }
    expect(withProfile(bmecat, 'catalogue')).toEqual({ ...bmecat, profile: 'catalogue' })
    expect(withProfile(csv, 'shop', 'woocommerce')).toEqual({ ...csv, layout: 'plain', profile: 'shop' })
  })

  test('is plain if a person chooses so after a profile with a layout', () => {
    expect(withChoice(withProfile(csv, 'feed', 'google'), 'csv')).toEqual({ ...csv, layout: 'plain', profile: 'feed' })
  })

  test.each([
    ['csv', 'plain', true],
    ['xml', 'plain', false],
    ['jsonl', 'plain', false],
    ['xml', 'google', true],
    ['xml', 'bmecat', true],
    ['xml', 'xliff', false],
  ] as const)('%s in the layout %s has pictures: %s', (format, layout, expected) =>
    expect(hasPictures(format, layout)).toBe(expected),
  )
})
