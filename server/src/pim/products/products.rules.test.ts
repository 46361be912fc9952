/** The requirements that the attributes of a node have for products, and how values are inherited from level to level. */
import { beforeAll, describe, expect, test } from 'vitest'
import { jacket, type Obj, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { createModel } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)

const define = (...attr: object[]) =>
  api.post(`${pim}/attributes/persist`, { schemaVersion, attrs: { attr } }, { token: api.adminToken })
beforeAll(async () => {
  await createModel(api)
  const rain = (key: string, more: object) => ({ nodePath: '/Standard/Jackets/Rain', key, ...more })
  const reply = await define(
    rain('material', { option: 'SYNCHRONIZED' }),
    rain('weight', { level: 'av', domainRange: { from: '1', to: '5', intOnly: 'true' } }),
    rain('washable', { inheritance: 'not_visible' }),
    rain('color', { domainVals: { domainVal: [{ tid: 'blue' }] }, defaultVal: { tid: 'blue' } }),
    rain('caption', { level: 'a', restriction: 'required' }),
    rain('sizes', { cardinality: 2 }),
  )
  expect(reply.text).not.toContain('ERROR')
})

const rainJacket = (tid: string, more: Obj = {}) => jacket(tid, { node: '/Standard/Jackets/Rain', ...more })
const caption = (value: string) => ({ attr: 'caption', itm: [{ value, loc: 'en_GB' }] })
const article = (tid: string, more: object = {}) => ({ tid, name: `Article ${tid}`, ...more })
const withArticle = (tid: string, one: object) => ({ tid, articles: { article: [one] } })
const refusal = async (...product: Obj[]) => (await persist(...product)).at(-1)!.description
type Val = { attr: string; origin?: string; inheritance?: string; itm: { value: string }[] }
const valuesAndOrigins = ({ vals = { val: [] } }: { vals?: { val: Val[] } }) =>
  vals.val.map(({ attr, origin = 'own', itm }) => `${attr}=${itm[0]!.value} (${origin})`).sort()

describe('an attribute of the node', () => {
  test('that is SYNCHRONIZED has values only at its uppermost level', async () => {
    await persist(rainJacket('S', vals(simple('material', 'wool'))))
    const below = withArticle('S', article('S-A', vals(caption('x'), simple('material', 'silk'))))
    expect(await refusal(below)).toBe(
      'attribute material: cannot be changed here: it is SYNCHRONIZED, so only products have it',
    )
  })

  test('exists only at its levels', async () => {
    expect(await refusal(rainJacket('L', vals(simple('weight', '2'))))).toBe(
      'attribute weight: belongs to articles and variations, not to products',
    )
    const [record] = await persist({
      ...rainJacket('L'),
      articles: { article: [article('L-A', vals(caption('x'), simple('weight', '2')))] },
    })
    expect(record!.status).toBe('SUCCESS')
  })

  test('narrows range, list and number of values', async () => {
    await persist({ ...rainJacket('N'), articles: { article: [article('N-A', vals(caption('x')))] } })
    const heavy = withArticle('N', article('N-A', vals(simple('weight', '9'))))
    expect(await refusal(heavy)).toBe('attribute weight: 9 is above 5, the largest value allowed')
    expect(await refusal({ tid: 'N', ...vals(simple('color', 'red')) })).toBe(
      'attribute color: "red" is not in the list of values; expected blue',
    )
    const three = { attr: 'sizes', itm: ['S', 'M', 'L'].map((value) => ({ value })) }
    expect(await refusal({ tid: 'N', ...vals(three) })).toBe('attribute sizes: takes at most 2 values, but 3 were sent')
  })

  describe('that is required', () => {
    beforeAll(async () => {
      const named = { name: { itm: [{ value: 'Slogan', loc: 'en_GB' }] } }
      const attrDef = [
        { tid: 'slogan', type: 'text', localized: 'true', required: 'requiredInAllLanguages', ...named },
        { tid: 'motto', type: 'text', localized: 'true', required: 'required', ...named },
      ]
      const token = api.adminToken
      await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, { token })
      await define(
        { nodePath: '/Standard/Jackets/Rain', key: 'slogan', level: 'v' },
        { nodePath: '/Standard/Jackets/Rain', key: 'motto', level: 'v' },
      )
      const both = (attr: string) => ({
        attr,
        itm: [
          { value: 'a', loc: 'en_GB' },
          { value: 'b', loc: 'de_DE' },
        ],
      })
      const variants = { variant: [{ tid: 'Q-V', name: 'V', ...vals(both('slogan'), both('motto')) }] }
      await persist({
        ...rainJacket('Q'),
        articles: { article: [article('Q-A', { ...vals(caption('x')), variants })] },
      })
    })
    const change = (...val: object[]) =>
      refusal(withArticle('Q', { tid: 'Q-A', variants: { variant: [{ tid: 'Q-V', ...vals(...val) }] } }))
    const lack = 'has no value, but is required at the node /Standard/Jackets/Rain'
    const lost = 'has no value in en_GB, but is required in all languages'

    test.each([
      ['without content', 'motto', {}, lack],
      ['with empty items for all locales', 'motto', { itm: [{ loc: 'en_GB' }, { loc: 'de_DE' }] }, lack],
      ['with empty lists for all locales', 'motto', { i18N: [{ loc: 'en_GB' }, { loc: 'de_DE' }] }, lack],
      [
        'with empty texts',
        'motto',
        {
          itm: [
            { loc: 'en_GB', value: '' },
            { loc: 'de_DE', value: '' },
          ],
        },
        lack,
      ],
      ['without content, in all languages', 'slogan', {}, lack],
      ['with an empty item of one locale, in all languages', 'slogan', { itm: [{ loc: 'en_GB' }] }, lost],
      ['with an empty list of one locale, in all languages', 'slogan', { i18N: [{ loc: 'en_GB' }] }, lost],
      [
        'replaced by another locale, in all languages',
        'slogan',
        { mode: 'full', itm: [{ value: 'b', loc: 'de_DE' }] },
        lost,
      ],
    ])('is not removed by a val %s', async (_, attr, content, message) => {
      expect(await change({ attr, ...content })).toBe(`attribute ${attr}: ${message}`)
    })

    test('keeps one of its languages, unless it is required in all', async () => {
      expect(await change({ attr: 'motto', itm: [{ loc: 'en_GB' }] })).not.toContain('attribute')
      expect(await change({ attr: 'slogan', itm: [{ value: 'c', loc: 'en_GB' }] })).not.toContain('attribute')
    })
  })

  test('that is required must be in a new object, and cannot be removed', async () => {
    await persist(rainJacket('R'))
    const lack = 'attribute caption: has no value, but is required at the node /Standard/Jackets/Rain'
    expect(await refusal(withArticle('R', article('R-A')))).toBe(lack)
    await persist(withArticle('R', article('R-A', vals(caption('x')))))
    expect(await refusal(withArticle('R', { tid: 'R-A', ...vals({ attr: 'caption' }) }))).toBe(lack)
    const [renamed] = await persist(withArticle('R', { tid: 'R-A', name: 'Renamed' }))
    expect(renamed!.status).toBe('SUCCESS')
  })

  test('is named in the details of a refusal, with its fault', async () => {
    await define({ nodePath: '/Standard/Boots', key: 'weight', restriction: 'required' })
    const detailsOf = async (...val: object[]) => {
      const [record] = await persist(jacket('B', { node: '/Standard/Boots', ...vals(...val) }))
      return Object.fromEntries(record!.details.itm.map(({ key, value }) => [key, value]))
    }
    expect(await detailsOf()).toEqual({
      code: '1001',
      'attribute.code': 'has no value, but is mandatory at the node /Standard/Boots',
      'reason.code': 'required',
      'parameter.code.restriction': 'mandatory',
      'parameter.code.node': '/Standard/Boots',
      'attribute.weight': 'has no value, but is required at the node /Standard/Boots',
      'reason.weight': 'required',
      'parameter.weight.restriction': 'required',
      'parameter.weight.node': '/Standard/Boots',
    })
    expect(await detailsOf(simple('code', 'AB1'), simple('weight', 'heavy'), simple('none', 'x'))).toEqual({
      code: '1001',
      'attribute.weight': '"heavy" is not a number such as 12.5',
      'reason.weight': 'notNumber',
      'parameter.weight.value': '"heavy"',
      'attribute.none': 'has no definition; only attributes that are defined can be stored',
    })
  })
})

describe('values are inherited', () => {
  test('from product to article to variation, with their origin, unless the level has its own', async () => {
    await persist({
      ...jacket('H', vals(simple('material', 'wool'), simple('code', 'AB1'))),
      articles: {
        article: [
          {
            ...article('H-A', vals(simple('code', 'CD2'))),
            variants: { variant: [article('H-V', vals(simple('weight', '3')))] },
          },
        ],
      },
    })
    const [product] = await retrieve('H')
    const [one] = product.articles.article
    expect(valuesAndOrigins(product)).toEqual(['code=AB1 (own)', 'material=wool (own)'])
    expect(valuesAndOrigins(one)).toEqual(['code=CD2 (own)', 'material=wool (product)'])
    expect(valuesAndOrigins(one.variants.variant[0])).toEqual([
      'code=CD2 (article)',
      'material=wool (product)',
      'weight=3 (own)',
    ])
    const { rows } = await api.db.pool.query(`select tid, vals from product where tid like 'H%' order by level`)
    expect(rows.map(({ vals }) => Object.keys(vals))).toEqual([['code', 'material'], ['code'], ['weight']])
    await persist({ tid: 'H', ...vals(simple('material', 'silk')) })
    expect(valuesAndOrigins((await retrieve('H'))[0].articles.article[0])).toContain('material=silk (product)')
  })

  test('unless the node overrides it with not_visible; a default holds until a value is stored', async () => {
    await persist({
      ...rainJacket('D', vals(simple('washable', 'true'))),
      articles: { article: [article('D-A', vals(caption('x')))] },
    })
    const [product] = await retrieve('D')
    expect(valuesAndOrigins(product)).toEqual(['color=Blue (default)', 'washable=true (own)'])
    expect(valuesAndOrigins(product.articles.article[0])).toEqual(['caption=x (own)', 'color=Blue (default)'])
    await persist({ tid: 'D', ...vals(simple('color', 'blue')) })
    const [stored] = await retrieve('D')
    expect(valuesAndOrigins(stored)).toContain('color=Blue (own)')
    expect(valuesAndOrigins(stored.articles.article[0])).toContain('color=Blue (product)')
  })
})

describe('with KONTOR_NODE_ATTRIBUTES_ONLY', () => {
  const strict = withServer({ KONTOR_NODE_ATTRIBUTES_ONLY: 'true' })
  beforeAll(() => createModel(strict))

  test('only attributes of the node can be stored', async () => {
    const calls = productCalls(strict)
    const [refused] = await calls.persist(jacket('O', vals(simple('material', 'wool'))))
    expect(refused!.description).toBe('attribute material: is not an attribute of the node /Standard/Jackets')
    const boots = { tid: 'B', name: 'Boots', node: '/Standard/Boots', ...vals(simple('code', 'AB1')) }
    expect((await calls.persist(boots))[0]!.status).toBe('SUCCESS')
  })
})
