import { cm, dam, pim } from '@kontor/contract'
import { describe, expect, test } from 'vitest'
import { addProducts, callsOf } from '../../../test/channels.ts'
import { changesBy, formatNames, outcomes, resourceOf, statementsOf } from '../../../test/common.ts'
import { damCalls } from '../../../test/dam.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { createPath, addAssets } = damCalls(api)
const assets = callsOf(api, dam, 'assets')
const channels = callsOf(api, cm, 'channels')

async function fileIn(path: string, name = 'a.jpg') {
  await createPath(path)
  return (await addAssets(path, name))[0]!
}
const addChannel = (tid: string) => channels.persist({ tid, type: 'Catalogue', name: tid })
const group = (kind: string, type: string, key: string, ...values: string[]) => ({
  type: kind,
  itms: [{ ...(type !== '' && { type }), itm: values.map((value) => ({ value, key })) }],
})
const withMode = (one: object, mode: string) => ({ ...one, mode })
const linksOf = async (tid: string) => (await assets.retrieve({ tids: [tid] })).assets!.asset![0]!.links?.itms

describe('links to products and channels', () => {
  test.each(formatNames)('are returned with an asset in %s, from both ends', async (format) => {
    const { tid } = await fileIn(`/MAM/both-${format}`)
    await addChannel(`C-${format}`)
    await addProducts(api, { [`P-${format}`]: {} })
    const inFormat = callsOf(api, dam, 'assets', format)
    const links = [
      group('assetToProduct', 'Main_Image', 'productTid', `P-${format}`),
      group('assetToProject', '', 'projectTid', `C-${format}`),
    ]
    expect(outcomes(await inFormat.persist({ tid, links: { itms: links } }))).toEqual(['SUCCESS'])
    const { itms } = (await inFormat.retrieve({ tids: [tid] })).assets!.asset![0]!.links!
    expect(itms).toEqual(links)

    const product = await callsOf(api, pim, 'products').retrieve({ tids: [`P-${format}`] })
    expect(product.products!.product![0]!.links!.itms).toEqual([group('assetToProduct', 'Main_Image', 'assetTid', tid)])
    const channel = await channels.retrieve({ tids: [`C-${format}`], retrieveLinkedAssets: true })
    expect(JSON.stringify(channel.projects!.project![0]!.links)).toContain(tid)
  })

  test('change nothing if sent back as retrieved', async () => {
    const { tid } = await fileIn('/MAM/same')
    await addChannel('Same')
    await assets.persist({ tid, links: { itms: [group('assetToProject', 'Cover', 'projectTid', 'Same')] } })
    const [asset] = (await assets.retrieve({ tids: [tid] })).assets!.asset!
    expect((await changesBy(api, () => assets.persist(asset!))).history).toEqual([])
  })

  test('delta adds, full replaces only the links of that kind', async () => {
    const { tid } = await fileIn('/MAM/full')
    for (const one of ['F1', 'F2', 'F3']) await addChannel(one)
    await addProducts(api, { FP: {} })
    const to = (...tids: string[]) => group('assetToProject', 'Cover', 'projectTid', ...tids)
    const product = group('assetToProduct', '', 'productTid', 'FP')
    const persist = (...groups: object[]) => assets.persist({ tid, links: { itms: groups } })
    await persist(to('F1'), product)
    await persist(to('F2'))
    expect(await linksOf(tid)).toEqual([product, to('F1', 'F2')])
    await persist(withMode(to('F3', 'F2'), 'full'))
    expect(await linksOf(tid)).toEqual([product, to('F2', 'F3')])
    await assets.persist({ tid, links: { itms: [to('F1')] } }, { tid, links: { itms: [withMode(to('F3'), 'full')] } })
    expect(await linksOf(tid), 'one item after the other').toEqual([product, to('F3')])
    await persist({ type: 'assetToProject', mode: 'full' })
    expect(await linksOf(tid)).toEqual([product])
  })

  test('a refusal names the object and does not affect other items', async () => {
    const [a, b] = [await fileIn('/MAM/no'), await fileIn('/MAM/no', 'b.jpg')]
    await addChannel('Yes')
    const records = await assets.persist(
      { tid: a.tid, name: 'renamed.jpg', links: { itms: [group('assetToProject', '', 'projectTid', 'No')] } },
      { tid: a.tid, links: { itms: [group('assetToProject', '', 'productTid', 'Yes')] } },
      { tid: a.tid, links: { itms: [withMode(group('assetToProject', '', 'projectTid', 'Yes'), 'some')] } },
      { tid: a.tid, links: { itm: [{ value: '/x', key: 'y' }] } },
      { tid: b.tid, links: { itms: [group('assetToProject', '', 'projectTid', 'Yes')] } },
    )
    expect(outcomes(records)).toEqual([
      'links: no project has the tid No',
      expect.stringMatching(/assetToProject {2}names no object; send projectTid or projectId/),
      expect.stringMatching(/some is not a mode; expected delta or full/),
      expect.stringMatching(/a link needs a kind/),
      'SUCCESS',
    ])
    expect((await assets.retrieve({ tids: [a.tid] })).assets!.asset![0]!.name).toBe('a.jpg')
  })

  test('cost the same number of statements for 2 assets as for 200', async () => {
    await createPath('/MAM/cost')
    const files = await addAssets('/MAM/cost', ...Array.from({ length: 202 }, (_, i) => `f${i}.jpg`))
    await addChannel('Cost')
    const items = files.map(({ tid }) => ({
      tid,
      links: { itms: [withMode(group('assetToProject', '', 'projectTid', 'Cost'), 'full')] },
    }))
    const few = await statementsOf(api, () => assets.persist(...items.slice(0, 2)))
    expect(await statementsOf(api, () => assets.persist(...items.slice(2)))).toBe(few)
  })
})

test('a keyword of assets in the trash is not in use; if it is deleted, restored assets no longer have it', async () => {
  const [gone, stays] = [await fileIn('/MAM/worded'), await fileIn('/MAM/worded', 'b.jpg')]
  const keywords = resourceOf(api, 'keywords')
  await keywords.persist({ name: { itm: [{ value: 'Rare' }] } })
  const links = { itms: [{ type: 'kwds', itm: [{ value: '/Rare' }] }] }
  await assets.persist({ tid: gone.tid, links }, { tid: stays.tid, links })
  const remove = async () => outcomes(await keywords.perform({ type: 'delete', path: '/Rare' }))
  await assets.perform({ type: 'delete', tid: gone.tid })
  expect(await remove()).toEqual([
    expect.stringMatching(/^the keyword \/Rare is in use by asset .* \(keywordToAsset\)/),
  ])
  await assets.perform({ type: 'delete', tid: stays.tid })
  expect(await remove()).toEqual(['SUCCESS'])
  const action = [{ dataType: 'asset', type: 'restore', tid: gone.tid }]
  await api.post('/api/core/v1/dam/trash/perform', { schemaVersion: '5.6.0', actions: { action } })
  expect(await linksOf(gone.tid)).toBeUndefined()
})
