/** Tables that are ambiguous are refused by place, and exports import to what they were. */
import type { Infer, Product } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, productCalls, vals } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'
import { bookParts, sheetOf, workbookOf } from '../../test/workbook.ts'

const api = withServer()
const at = '/api/v1/transfers'
const { persist, retrieve } = productCalls(api)
const { send, run, rowsOf, resultOf, previewOf, exported } = transferCalls(api)
const putProfile = (name: string, profile: object) => api.post(`${at}/profiles/${name}`, profile, { method: 'PUT' })
beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
})
const list = (attr: string, ...values: string[]) => ({ attr, itm: values.map((value, pos) => ({ value, pos })) })
const valuesOf = async (tid: string) =>
  ((await retrieve(tid)) as Infer<typeof Product>[])[0]!.vals!.val!.map(({ attr, itm, i18N }) => [attr, (i18N?.[0]!.itm ?? itm)!.map(({ value }) => value)]) // prettier-ignore

describe('headings', () => {
  test('that are the same are refused with their columns, in the preview as well', async () => {
    const body = 'tid,name,material,node,material\nH1,H1,wool,/Standard/Jackets,silk\n'
    const fault = 'columns 3 and 5 both mean material; rename or remove one of them'
    const { id, ...transfer } = await run(body)
    expect(transfer).toMatchObject({ state: 'failed', created: 0, problem: `column material: ${fault}` })
    expect((await previewOf(id)).columns).toContainEqual({ column: 'material', meaning: 'material', fault })
  })

  test('that mean the same by a profile are refused', async () => {
    await putProfile('twice', { columns: [{ column: 'Stoff', attr: 'material' }, { column: 'Bild', field: 'asset' }, { column: 'Bild 2', field: 'asset' }] }) // prettier-ignore
    const table = (headings: string) => `${headings}\nH2,H2,/Standard/Jackets,wool,silk\n`
    expect(await run(table('tid,name,node,Stoff,material'), 'name=x.csv&profile=twice')).toMatchObject({
      state: 'failed',
      problem: 'column material: columns 4 and 5 both mean material; rename or remove one of them',
    })
    const { id } = await run(table('tid,name,node,Bild,Bild 2'), 'name=x.csv&profile=twice')
    expect((await rowsOf(id))[0].faults[0].reason, 'several columns of assets are read').toContain('media/wool')
  })

  test('that are not understood are named all at once, and the missing one of a table and its column', async () => {
    const { problem } = await run('tid,sku,size_table/typo,typo/width\n1,2,3,4\n')
    expect(problem).toBe('column sku: no attribute has the tid sku; column size_table/typo: no attribute has the tid typo; column typo/width: no attribute has the tid typo') // prettier-ignore
  })
})

test('a row whose quote swallows other rows is refused, and nothing of them is stored', async () => {
  const body = 'tid;name;node;material\nQ1;Q1;/Standard/Jackets;"27 inch\nQ2;Q2;/Standard/Jackets;wool\nQ3;Q3;/Standard/Jackets;"silk"\nQ4;Q4;/Standard/Jackets;felt\n' // prettier-ignore
  const { id, created, refused } = await run(body)
  expect([created, refused]).toEqual([1, 1])
  expect((await rowsOf(id))[0]).toMatchObject({ row: 1, status: 'refused', faults: [{ column: 'material', reason: expect.stringContaining('begins with a quote that is not closed before the next line') }] }) // prettier-ignore
})

test('a zero byte refuses its row, and does not make the file another encoding', async () => {
  const rest = Array.from({ length: 4 }, (_, i) => `Z${i};Z${i};/Standard/Jackets;a longer text\n`).join('')
  const { id, created, refused } = await run(`tid;name;node;material\nZ9;Z9;/Standard/Jackets;wo\0ol\n${rest}`)
  expect([created, refused]).toEqual([4, 1])
  expect((await rowsOf(id))[0]).toMatchObject({ row: 1, faults: [{ column: 'material' }] })
})

describe('a value without a heading', () => {
  const reason = (value: string, column: number) => `the value "${value}" in column ${column} has no heading; give the column a heading (ignore to leave it out), or quote texts that contain the delimiter` // prettier-ignore

  test('refuses its row in a CSV, and stays in the result file until it is corrected', async () => {
    const body = 'tid;name;node\nS1;Shirt;/Standard/Jackets;wide\nS2;Skirt;/Standard/Jackets;;\nS3;Sock;/Standard/Jackets\n' // prettier-ignore
    const { id, created, refused } = await run(body)
    expect([created, refused]).toEqual([2, 1])
    expect((await rowsOf(id))[0]).toEqual({ row: 1, status: 'refused', faults: [{ reason: reason('wide', 4) }] })
    const result = await resultOf(id)
    expect(result).toMatch(/^\ufefftid,name,node,status,message\r\nS1,Shirt,\/Standard\/Jackets,refused,".*",wide\r\n$/)
    expect(await run(result)).toMatchObject({ created: 0, refused: 1 })
  })

  test('refuses its row in a workbook, also under an empty heading', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
    const row = (...cells: string[]) => `<row>${cells.map(text).join('')}</row>`
    const sheet = sheetOf(row('tid', '', 'name', 'node') + row('S4', 'x', 'S4', '/Standard/Jackets', 'y') + row('S5', '', 'S5', '/Standard/Jackets')) // prettier-ignore
    const { id } = await run(await workbookOf({ ...bookParts(), 'xl/worksheets/sheet1.xml': sheet }), 'name=x.xlsx')
    expect(await rowsOf(id)).toEqual([
      { row: 1, status: 'refused', faults: [{ reason: reason('x', 2) }, { reason: reason('y', 5) }] },
      { row: 2, status: 'created', tid: 'S5' },
    ])
  })

  test('is left out if the heading is ignore', async () => {
    expect(await run('tid,ignore,name,node,ignore\nS6,1,S6,/Standard/Jackets,2\n')).toMatchObject({ created: 1, refused: 0 }) // prettier-ignore
  })
})

test('an error of a spreadsheet in a CSV refuses its row', async () => {
  const { id } = await run('tid;name;node;material\nX1;X1;/Standard/Jackets;#DIV/0!\nX2;X2;/Standard/Jackets;#NV\nX3;X3;/Standard/Jackets;#1\n') // prettier-ignore
  expect(await rowsOf(id)).toMatchObject([
    { status: 'refused', faults: [{ column: 'material', reason: 'has the error #DIV/0! of a spreadsheet; correct it, or leave the cell empty' }] }, // prettier-ignore
    { status: 'refused', faults: [{ column: 'material', reason: expect.stringContaining('#NV') }] },
    { status: 'created' },
  ])
})

describe('a result file', () => {
  test('has the same columns after every round', async () => {
    let file = 'tid,name,node,weight\nR1,R1,/Standard/Jackets,heavy\nR2,R2,/Standard/Jackets,heavy\n'
    for (let round = 0; round < 3; round++) {
      const { id, refused } = await run(file)
      expect(refused).toBe(2)
      file = await resultOf(id)
      expect(file.split('\r\n', 1)[0]).toBe('\ufefftid,name,node,weight,status,message')
    }
  })

  test('has other headings for its own columns if a profile gives status a meaning', async () => {
    await putProfile('status', { columns: [{ column: 'status', attr: 'material' }] })
    const { id } = await run('tid,status,node,weight\nR3,wool,/Nowhere,1\n', 'name=x.csv&profile=status')
    const file = await resultOf(id)
    expect(file.split('\r\n', 1)[0]).toBe('\ufefftid,status,node,weight,ignore,message')
    expect(await run(file, 'name=x.csv&profile=status')).toMatchObject({ state: 'finished', refused: 1 })
  })

  test('has the delimiter of the profile, so that it can be read by it', async () => {
    await putProfile('semicolon', { delimiter: ';' })
    const { id } = await run('tid;name;node\nR4;a,b;/Nowhere\n', 'name=x.csv&profile=semicolon')
    const file = await resultOf(id)
    expect(file).toContain('R4;a,b;/Nowhere;refused;')
    const corrected = file.replace('/Nowhere', '/Standard/Jackets')
    expect(await run(corrected, 'name=x.csv&profile=semicolon')).toMatchObject({ created: 1, refused: 0 })
  })
})

describe('an export imports to the same lists', () => {
  const sizes = ['S|M', 'C:\\', 'a;b, c']
  const notes = ['one|two', '\\|']
  const columns = ['tid', 'sizes', 'notes@en_GB', 'material']
  const made = () => jacket('LIST', { name: 'Lists', ...vals(...listVals) })
  const listVals = [list('sizes', ...sizes), { attr: 'notes', i18N: [{ loc: 'en_GB', itm: notes.map((value, pos) => ({ value, pos })) }] }, { attr: 'material', itm: [{ value: 'a|b' }] }] // prettier-ignore
  const expected = [['material', ['a|b']], ['notes', notes], ['sizes', sizes]] // prettier-ignore
  const sorted = async () => (await valuesOf('LIST')).toSorted()

  test.each([
    ['csv', undefined],
    ['xlsx', undefined],
    ['csv', { separator: ';', delimiter: ';' }],
    ['xlsx', { separator: ', ' }],
    ['csv', { separator: '\n', delimiter: '\t' }],
  ])('as %s with the profile %j', async (format, profile) => {
    const query = profile ? '&profile=lists' : ''
    if (profile) await putProfile('lists', profile)
    const [record] = await persist(made())
    expect(record, record!.description).toMatchObject({ status: 'SUCCESS' })
    const file = await exported({ format, tids: ['LIST'], columns, ...(profile && { profile: 'lists' }) })
    await persist({ tid: 'LIST', ...vals(list('sizes', 'other'), { attr: 'notes' }, { attr: 'material' }) })
    expect(await run(file, `name=x.${format}${query}`)).toMatchObject({ updated: 1, refused: 0 })
    expect(await sorted()).toEqual(expected)
  })

  test('value by value, in columns with positions', async () => {
    await persist(made())
    const headings = ['tid', 'sizes#0', 'sizes#2', 'notes@en_GB#1', 'sizes#7']
    const file = (await exported({ format: 'csv', tids: ['LIST'], columns: headings })).toString()
    expect(file).toBe(`\ufeff${headings.join(',')}\r\nLIST,S|M,"a;b, c",\\|,\r\n`)
  })

  test('unless a profile would separate values by a backslash', async () => {
    const reply = await putProfile('backslash', { separator: '\\' })
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('separator: a backslash')])
  })
})

test.each([
  ['of one column is not split', 'tid\nO;1\n"O,2"\nO|3\n', ['O;1', 'O,2', 'O|3']],
  ['may begin with empty lines', '\r\n\r\ntid;name\r\nO4;x\r\n', ['O4']],
])('a CSV %s', async (_what, body, tids) => {
  const { id } = (await send(body, 'name=x.csv')).json
  expect((await previewOf(id)).rows.map(({ item }: { item: { tid: string } }) => item.tid)).toEqual(tids)
})
