import { ChannelBriefing, ChannelBriefingRequest, cm, decode, encode, formats, PatchBriefing } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { callsOf, channelsAt } from '../../../../test/channels.ts'
import { changesBy, formatNames } from '../../../../test/common.ts'
import { withServer } from '../../../../test/server.ts'

const api = withServer()
const base = `${channelsAt}/briefings`
const persist = (body: object) => api.post(`${base}/persist`, body)
const retrieve = (request: object) => api.post(`${base}/retrieve`, request)
const size = (width: string) => [{ identifier: 'width', value: width }, { identifier: 'height', value: '3000.0' }] // prettier-ignore
const info = (briefingModuleCfgTid: string, locale?: string) => ({
  briefingInfo: { briefingModuleCfgTid, ...(locale !== undefined && { locale }) },
})
const layout = [
  {
    id: '5',
    attribute: size('5000.0'),
    boxes: { box: [{ id: '9', layer: 'Default', name: 'Assets', type: 'Assets', attribute: size('120') }] },
  },
]

beforeAll(async () => {
  const channel = (tid: string) => ({ tid, name: tid, type: 'Catalogue' })
  await callsOf(api, cm, 'channels').persist(...['page', 'empty', 'many', 'xml', 'json', 'compact'].map(channel))
  const stored = await persist({ tid: 'page', ...info('F.BriefingModule.Page'), layout })
  expect(stored.json.responses.response).toMatchObject([
    { status: 'SUCCESS', action: 'create', dataType: 'project', tid: 'page' },
  ])
})

describe('retrieve', () => {
  test('XML is a separate document without the namespace of messages', async () => {
    const body = encode(formats.xml, ChannelBriefingRequest, { tids: ['page'], ...info('F.BriefingModule.Page') })
    const reply = await api.post(`${base}/retrieve`, body, { type: 'application/xml' })
    expect(reply.headers['content-type']).toBe('application/xml;charset=UTF-8')
    expect(reply.text.replace(/^<\?xml.*\?>\s*/, '')).toBe(
      '<patch-briefing><layout id="5" name="">' +
        '<attribute identifier="width">5000.0</attribute><attribute identifier="height">3000.0</attribute>' +
        '<seitenbriefing></seitenbriefing><boxes><box id="9" layer="Default" name="Assets" type="Assets">' +
        '<attribute identifier="width">120</attribute><attribute identifier="height">3000.0</attribute>' +
        '</box></boxes></layout></patch-briefing>',
    )
  })

  test('JSON is equivalent by the rules of all messages', async () => {
    expect((await retrieve({ tids: ['page'] })).json).toEqual({
      layout: [{ ...layout[0], name: '', seitenbriefing: '' }],
    })
  })

  test('names exactly one channel', async () => {
    for (const request of [{}, { tids: [] }, { tids: ['page', 'many'] }, { tids: ['page'], ids: [1] }]) {
      expect((await retrieve(request)).status, JSON.stringify(request)).toBe(400)
    }
    expect((await retrieve({ tids: ['nobody'] })).status).toBe(404)
    expect((await retrieve({ ids: [99999999] })).status).toBe(404)
    expect((await retrieve({ tids: ['empty'] })).status, 'it has none').toBe(404)
    expect((await retrieve({ tids: ['page'], ...info('other') })).status).toBe(404)
  })

  test('returns the requested configuration and locale, or else the one without a locale', async () => {
    const named = (name: string) => [{ id: '1', name }]
    await persist({ tid: 'many', ...info('A'), layout: named('all') })
    await persist({ tid: 'many', ...info('A', 'de_DE'), layout: named('German') })
    await persist({ tid: 'many', ...info('B', 'de_DE'), layout: named('other') })
    const nameOf = async (request: object) => (await retrieve({ tids: ['many'], ...request })).json.layout[0].name
    expect(await nameOf(info('A', 'de_DE'))).toBe('German')
    expect(await nameOf(info('A', 'fr_FR'))).toBe('all')
    expect(await nameOf(info('A'))).toBe('all')
    expect((await retrieve({ tids: ['many'], ...info('B', 'fr_FR') })).status).toBe(404)
    expect((await retrieve({ tids: ['many'] })).status, 'which of two?').toBe(400)
  })
})

describe('persist', () => {
  test('replaces the briefing, and removes it when there are no layouts', async () => {
    const name = 'second'
    const again = await persist({ tid: 'empty', ...info('A'), layout: [{ name: 'first' }] })
    expect(again.json.responses.response[0].action).toBe('create')
    const { history } = await changesBy(api, () => persist({ tid: 'empty', ...info('A'), layout: [{ name }] }))
    expect(history).toMatchObject([{ dataType: 'project', action: 'briefing' }])
    const [shown] = (await retrieve({ tids: ['empty'] })).json.layout
    expect(shown).toEqual({ id: expect.stringMatching(/^\d+$/), name, seitenbriefing: '' })
    const gone = await persist({ tid: 'empty', ...info('A') })
    expect(gone.json.responses.response[0].action).toBe('delete')
    expect((await retrieve({ tids: ['empty'] })).status).toBe(404)
    expect((await persist({ tid: 'empty', ...info('A') })).status).toBe(404)
  })

  test('is refused without a channel, for an unknown one, and with an invalid measure', async () => {
    expect((await persist({ layout })).status).toBe(400)
    expect((await persist({ tid: 'nobody', layout })).status).toBe(404)
    const wide = await persist({ tid: 'empty', layout: [{ attribute: size('wide') }] })
    expect(wide.status).toBe(400)
    expect(wide.text).toContain('\\"wide\\" is not a number such as 5000.0')
    expect((await persist({ tid: 'empty', ...info('A', 'german'), layout })).status).toBe(400)
  })
})

test.each(formatNames)('%s is accepted and returned', async (format) => {
  const { contentType: type } = formats[format]
  const stored = encode(formats[format], ChannelBriefing, { tid: format, ...info('A', 'en_GB'), layout })
  expect((await api.post(`${base}/persist`, stored, { type })).status).toBe(200)
  const asked = encode(formats[format], ChannelBriefingRequest, { tids: [format], ...info('A', 'en_GB') })
  const reply = await api.post(`${base}/retrieve`, asked, { type })
  const text = reply.text.replace('<patch-briefing>', '<patch-briefing xmlns="http://www.apollon.de/omn">')
  expect(decode(formats[format], PatchBriefing, Buffer.from(text))).toMatchObject({ layout })
})
