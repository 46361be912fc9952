/** The workflows that come with the server, from start to end, with real products, files, channels and glossaries. */
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, productCalls, simple, vals } from '../../../test/catalogue.ts'
import { damCalls } from '../../../test/dam.ts'
import { picture, upload } from '../../../test/files.ts'
import { withServer } from '../../../test/server.ts'
import { workflowCalls } from '../../../test/workflow.ts'
import { readBpmn } from '../engine/bpmn.ts'
import { jobInputs } from '../jobs/job-types.ts'

const api = withServer()
const flow = workflowCalls(api)
const { persist, retrieve } = productCalls(api)
const dam = damCalls(api)

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
})

const folder = new URL('../../../workflows/', import.meta.url)
test.each(readdirSync(folder))('%s has no fault, and every element is drawn', async (file) => {
  const xml = readFileSync(new URL(file, folder), 'utf8')
  const { faults, model } = await readBpmn(xml, jobInputs)
  expect(faults).toEqual([])
  const drawn = new Set([...xml.matchAll(/bpmnElement="([^"]+)"/g)].map(([, id]) => id))
  expect([...model!.elements.keys()].filter((id) => !drawn.has(id))).toEqual([])
})

test.each(readdirSync(folder))('%s is drawn without a flow through a shape or a label', (file) => {
  const xml = readFileSync(new URL(file, folder), 'utf8')
  const numbers = (text: string) => [...text.matchAll(/"(-?\d+)"/g)].map(([, number]) => Number(number))
  const shapes = [...xml.matchAll(/<bpmndi:BPMNShape.*bpmnElement="(\w+)"[^]*?<dc:Bounds(.*?)\/>/g)]
  const edges = [...xml.matchAll(/<bpmndi:BPMNEdge.*bpmnElement="(\w+)"[^]*?<\/bpmndi:BPMNEdge>/g)]
  const labels = [
    ...xml.matchAll(
      /<bpmndi:BPMN(?:Shape|Edge).*bpmnElement="(\w+)"(?:(?!<\/bpmndi:BPMN(?:Shape|Edge)>)[^])*?<bpmndi:BPMNLabel><dc:Bounds(.*?)\/>/g,
    ),
  ]
  const crossings = edges.flatMap(([edge, flow]) => {
    const points = [...edge.matchAll(/<di:waypoint(.*?)\/>/g)].map(([, at]) => numbers(at!))
    const crosses = ([x = 0, y = 0, width = 0, height = 0]: number[]) =>
      points.slice(1).some(([bx = 0, by = 0], i) => {
        const [ax = 0, ay = 0] = points[i]!
        const across = Math.max(ax, bx) > x + 2 && Math.min(ax, bx) < x + width - 2
        return across && Math.max(ay, by) > y + 2 && Math.min(ay, by) < y + height - 2
      })
    return [...shapes, ...labels].flatMap(([, of, bounds]) =>
      crosses(numbers(bounds!)) ? `${flow} through ${of}` : [],
    )
  })
  expect(shapes.length).toBeGreaterThan(5)
  expect(labels.length).toBeGreaterThan(5)
  expect(crossings).toEqual([])
})

const localized = (attr: string, texts: Record<string, string>) => ({
  attr,
  itm: Object.entries(texts).map(([loc, value]) => ({ value, loc })),
})

describe('product enrichment', () => {
  test('goes through texts, translations per locale and approval, and sets the status', async () => {
    await persist({ ...jacket('boot-1'), node: '/Standard/Boots', ...vals(simple('code', 'AB1')) })
    const parameters = [
      { key: 'locales', type: 'language', values: ['de_DE', 'fr_FR'] },
      { key: 'statusAttribute', type: 'string', values: ['material'] },
      { key: 'statusValue', type: 'string', values: ['approved'] },
    ]
    const id = await flow.startOne('F.WorkflowConfig.ProductEnrichment', {
      linkedObjects: [{ type: 'product', tid: 'boot-1' }],
      parameters,
    })
    await flow.complete((await flow.task(id, 'enrich')).id)
    for (const item of ['de_DE', 'fr_FR']) {
      const task = await flow.task(id, 'translate', item)
      expect(task.name).toBe(`Translate to ${item}`)
      await flow.complete(task.id)
    }
    await flow.complete((await flow.task(id, 'approve')).id, { decision: 'approve' })
    const { state, doneElements } = await flow.ended(id)
    expect(state).toBe('finished')
    expect(doneElements).toEqual(expect.arrayContaining(['checkSource', 'checkTranslations', 'mark', 'tell', 'done']))
    const [product] = await retrieve('boot-1')
    expect(JSON.stringify(product)).toContain('approved')
    const messages = await flow.inbox(api.token)
    expect(messages.map(({ subject }: { subject: string }) => subject)).toContain('Products enriched')
  })

  test('comes back to who enriches, and to who translates, while required values are missing', async () => {
    await persist({ ...jacket('rain'), node: '/Standard/Jackets/Rain' })
    const mandatory = { nodePath: '/Standard/Jackets/Rain', key: 'caption', level: 'p', restriction: 'mandatory' }
    const reply = await api.post(
      '/api/core/v1/pim/attributes/persist',
      { schemaVersion: '5.6.0', attrs: { attr: [mandatory] } },
      { token: api.adminToken },
    )
    expect(reply.text).toContain('SUCCESS')
    const id = await flow.startOne('F.WorkflowConfig.ProductEnrichment', {
      linkedObjects: [{ type: 'product', tid: 'rain' }],
      parameters: [{ key: 'locales', type: 'language', values: ['de_DE'] }],
    })
    const [first, again] = [await flow.task(id, 'enrich'), () => flow.task(id, 'enrich')]
    await flow.complete(first.id)
    expect((await again()).description).toContain('rain lacks caption in en_GB')
    await persist({ tid: 'rain', ...vals(localized('caption', { en_GB: 'Dry' })) })
    await flow.complete((await again()).id)
    await flow.complete((await flow.task(id, 'translate')).id)
    expect((await flow.task(id, 'complete')).description).toContain('rain lacks caption in de_DE')
    await persist({ tid: 'rain', ...vals(localized('caption', { en_GB: 'Dry', de_DE: 'Trocken' })) })
    await flow.complete((await flow.task(id, 'complete')).id)
    await flow.complete((await flow.task(id, 'approve')).id, { decision: 'approve' })
    expect((await flow.ended(id)).state).toBe('finished')
  })
})

describe('asset approval', () => {
  test('is reworked, approved, moved, and gets its previews', async () => {
    await dam.createPath('/MAM/incoming')
    await dam.createPath('/MAM/approved')
    expect((await upload(api, { path: '/MAM/incoming/sail.jpg' }, await picture(640, 480))).status).toBe(200)
    const [asset] = await dam.assetPaths('/MAM/incoming')
    expect(asset).toBe('/MAM/incoming/sail.jpg')
    const { tids } = (await api.post('/api/core/v1/dam/assets/query', { directory: { path: '/MAM/incoming' } })).json
    const id = await flow.startOne('F.WorkflowConfig.AssetApproval', {
      linkedObjects: [{ type: 'file', tid: tids[0] }],
      parameters: [{ key: 'approvedDirectory', type: 'string', values: ['/MAM/approved'] }],
    })
    const review = await flow.task(id, 'review')
    expect(review).toMatchObject({ candidateRoles: ['editor'], dueDate: expect.any(String) })
    await flow.complete(review.id, { decision: 'rework', remark: 'too dark' })
    const rework = await flow.task(id, 'rework')
    expect(rework).toMatchObject({ assignee: 'kim', description: expect.stringContaining('too dark') })
    await flow.complete(rework.id, { answer: 'brighter' }, { token: api.token })
    await flow.complete((await flow.task(id, 'review')).id, { decision: 'approve' })
    const { state, doneElements } = await flow.ended(id)
    expect(state).toBe('finished')
    expect(doneElements).toContain('previews')
    expect(await dam.assetPaths('/MAM/approved')).toEqual(['/MAM/approved/sail.jpg'])
  })
})

describe('channel release', () => {
  test('checks values and layout at the same time, then is released', async () => {
    const reply = await api.post('/api/core/v1/cm/channels/persist', {
      schemaVersion: '5.6.0',
      projects: { project: [{ tid: 'spring', type: 'Webshop', name: 'Spring' }] },
    })
    expect(reply.text).toContain('SUCCESS')
    const id = await flow.startOne('F.WorkflowConfig.ChannelRelease', {
      linkedObjects: [{ type: 'project', tid: 'spring' }],
    })
    await flow.complete((await flow.task(id, 'layout')).id, { remark: 'fine' })
    await flow.complete((await flow.task(id, 'release')).id, {
      decision: 'release',
      releaseDate: '2020-01-01T08:00:00.000+0100',
    })
    const { state, doneElements } = await flow.ended(id)
    expect(state).toBe('finished')
    expect(doneElements).toEqual(expect.arrayContaining(['check', 'join', 'day', 'released']))
  })
})

describe('glossary review', () => {
  test('requests each correction where it is needed', async () => {
    const made = await api.post('/api/core/v1/common/glossaries/persist', {
      schemaVersion: '5.6.0',
      glossaries: { glossary: [{ name: 'Sailing', tid: 'sailing' }] },
    })
    expect(made.text).toContain('SUCCESS')
    const id = await flow.startOne('F.WorkflowConfig.GlossaryReview', {
      linkedObjects: [{ type: 'glossary', tid: 'sailing' }],
      parameters: [{ key: 'locales', type: 'language', values: ['de_DE'] }],
    })
    await flow.complete((await flow.task(id, 'review')).id, { changes: ['terms', 'translations'] })
    await flow.complete((await flow.task(id, 'terms')).id)
    expect(await flow.tasks({ processIds: [id] })).toMatchObject([{ element: 'translations', item: 'de_DE' }])
    await flow.complete((await flow.task(id, 'translations')).id)
    await flow.complete((await flow.task(id, 'approve')).id, { decision: 'again' })
    await flow.complete((await flow.task(id, 'review')).id)
    await flow.complete((await flow.task(id, 'approve')).id, { decision: 'approve' })
    expect((await flow.ended(id)).state).toBe('finished')
  })
})
