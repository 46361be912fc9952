/**
 * Every call of the DAM, as the contract declares it, with every status that it documents, in every format that it
 * speaks. The behaviour of the calls is tested next to each resource.
 */
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import {
  dam,
  encode,
  formats,
  type Method,
  Pim,
  type Resource,
  type Route,
  schemaVersion,
  type Type,
  usualStatuses,
} from '@kontor/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FormatName, formatNames, formatsFor } from '../../test/common.ts'
import { blobsOf, form, makeDirs, picture, recordOf, upload, wav } from '../../test/files.ts'
import { inFolder } from '../../test/s3.ts'
import { type Reply, type TestServer, withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'

const limits = { KONTOR_MAX_UPLOAD: '200000', KONTOR_MAX_CHUNK: '100000', KONTOR_MAX_BODY: '20000' }
const pim = (contents: object) => ({ schemaVersion, ...contents })
const action = (dataType: string, type: string, more: object) =>
  pim({ actions: { action: [{ dataType, type, ...more }] } })

// Requests

/** A request, independent of its format. */
interface Sent {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly value?: object
  /** Of a form: the file, and the number of a chunk. */
  readonly payload?: Buffer | string
  readonly chunkId?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: string
  readonly accept?: string
  /** The complete URL, if the server issued it. */
  readonly url?: string
}
/** Makes a request; `n` is different each time. */
type Make = (api: TestServer, n: number) => Sent | Promise<Sent>
type Samples = Readonly<Partial<Record<number, Make>>>

const signed = async (api: TestServer, body: object) =>
  (await api.post(`${dam.base}/assets/presigned-url`, body)).text.replace(api.config.baseUrl, '')
const startUpload = async (api: TestServer, path: string, body: object) =>
  recordOf(await api.post(`${dam.base}${path}/start`, body)).tid as string
async function begunUpload(api: TestServer, n: number) {
  const path = `/MAM/calls/chunked-${n}.txt`
  const uploadId = await startUpload(api, '/assets/bin/chunked', { path })
  const { body, type } = form({ name: 'chunkId', value: '0' }, { name: 'payload', value: 'x', fileName: 'x' })
  await api.post(`${dam.base}/assets/bin/chunked/upload/${uploadId}`, body, { type })
  return { params: { uploadId }, value: { path } }
}
async function begunVersion(api: TestServer, tid = 'one') {
  const uploadId = await startUpload(api, '/assets/versions/bin/chunked', { tid })
  const { body, type } = form({ name: 'chunkId', value: '0' }, { name: 'payload', value: 'x', fileName: 'x' })
  await api.post(`${dam.base}/assets/versions/bin/chunked/upload/${uploadId}`, body, { type })
  return { params: { uploadId }, value: { tid } }
}
async function previewUrl(api: TestServer): Promise<string> {
  const { json } = await api.post(`${dam.base}/assets/previews/retrieve`, { tids: ['photo'] })
  return json.assets.asset[0].previews.preview[0].meta.itm.find(({ key }: { key: string }) => key === 'url').value
}
/** A user without permissions in /MAM/calls. */
const narrow = async (api: TestServer, n: number) => api.tokenFor({ name: `nia ${n}`, roles: ['narrow'] })
const lockFor = async (api: TestServer, tid: string, who: string | null) =>
  void (await api.db.run(sql`
    update dam_entry set locked_by = ${who}, locked_at = case when ${who}::text is null then null else now() end
    where tid = ${tid}`))

/** A file whose content nobody gets. Returns its tid. */
async function heldFile(api: TestServer, n: number, held: 'unchecked' | 'infected'): Promise<string> {
  const tid = `${held} ${n}`
  await upload(api, { path: `/MAM/calls/${tid}.txt`, tid }, tid)
  await api.db.run(sql`
    update blob set held = ${held} where sha256 = (select sha256 from dam_entry where tid = ${tid} and deleted_at is null)`)
  return tid
}

const noUpload = { uploadId: '00000000-0000-4000-8000-000000000000' }
const large = 'x'.repeat(200_001)
const longText = { versionComment: 'x'.repeat(21_000) }
const unspoken: Make = () => ({ accept: 'text/html' })
const never: Make = () => {
  throw new Error('made by a test of its own')
}
const tids =
  (...list: string[]): Make =>
  () => ({ value: { tids: list } })

// prettier-ignore
const verbs: Record<keyof typeof dam.resources, Partial<Record<'query' | 'retrieve' | 'persist' | 'perform' | 'bulk', Samples>>> = {
  assets: {
    query:    { 200: () => ({ value: { fileNames: ['one.txt'] } }), 404: () => ({ value: { directory: { path: '/MAM/none' } } }) },
    retrieve: { 200: tids('one', 'none'), 404: tids('none') },
    persist:  { 200: () => ({ value: pim({ assets: { asset: [{ tid: 'one', name: 'one.txt' }] } }) }), 404: () => ({ value: pim({ assets: { asset: [{ tid: 'none' }] } }) }) },
    perform:  { 200: () => ({ value: action('asset', 'checkout', { tid: 'mine' }) }), 404: () => ({ value: action('asset', 'delete', { tid: 'none' }) }) },
    bulk:     { 200: () => ({ value: action('asset', 'checkout', { tid: 'mine' }) }) },
  },
  dirs: {
    retrieve: { 200: () => ({ value: { rncTid: 'MAM' } }), 404: () => ({ value: { dirPath: '/MAM/none' } }) },
    persist:  { 200: (_, n) => ({ value: pim({ dirs: { dir: [{ rnc: 'MAM', name: `dir ${n}` }] } }) }), 404: () => ({ value: pim({ dirs: { dir: [{ parent: 'none', name: 'x' }] } }) }) },
    perform:  { 200: () => ({ value: action('dir', 'createPath', { path: '/MAM/calls/new' }) }), 404: () => ({ value: action('dir', 'delete', { path: '/MAM/none' }) }) },
    bulk:     { 200: () => ({ value: action('dir', 'createPath', { path: '/MAM/calls/new' }) }) },
  },
  'assets/versions': {
    retrieve: { 200: tids('one'), 404: tids('none') },
    perform:  { 200: () => ({ value: action('version', 'delete', { tid: 'none' }) }), 404: () => ({ value: action('version', 'restore', { tid: 'none' }) }) },
  },
  'attribute-definitions': { retrieve: { 200: () => ({ value: { all: true } }), 404: tids('NONE') } },
  'admin/attribute-definitions': {
    persist:  { 200: (api, n) => ({ token: api.adminToken, value: pim({ attrDefs: { attrDef: [{ tid: `A${n}`, type: 'text', name: { itm: [{ value: 'A', loc: 'en_GB' }] } }] } }) }) },
    perform:  { 200: (api) => ({ token: api.adminToken, value: action('attrDefinition', 'delete', { tid: 'NONE' }) }), 404: (api) => ({ token: api.adminToken, value: action('attrDefinition', 'delete', { tid: 'NONE' }) }) },
  },
  'assets/duplicates': { retrieve: { 200: () => ({ value: {} }), 404: tids('none') } },
  'assets/similar': { retrieve: { 200: () => ({ value: {} }), 404: tids('none') } },
  trash: {
    retrieve: { 200: () => ({ value: {} }) },
    perform:  { 200: () => ({ value: action('asset', 'restore', { tid: 'none' }) }), 404: () => ({ value: action('asset', 'restore', { tid: 'none' }) }) },
  },
}

const path = (n: number) => ({ path: `/MAM/calls/up-${n}.txt` })
const payload = 'a file'
// prettier-ignore
const routes: Record<keyof typeof dam.routes, Samples> = {
  retrieveRncs:         { 200: () => ({}), 404: never },
  persistRncs:          { 200: (api, n) => ({ token: api.adminToken, value: pim({ rncs: { rnc: [{ tid: `R${n}`, name: 'R' }] } }) }), 403: () => ({ value: pim({ rncs: { rnc: [{ tid: 'R' }] } }) }) },
  checkin:              { 200: async (api) => (await lockFor(api, 'mine', 'kim'), { value: { tid: 'mine' } }), 404: () => ({ value: { tid: 'none' } }), 409: async (api) => (await lockFor(api, 'theirs', 'otto'), { value: { tid: 'theirs' } }) },
  presignedUrl:         { 200: () => ({ value: { tid: 'one' } }), 403: () => ({ value: { tid: 'ended' } }), 404: () => ({ value: { tid: 'none' } }) },
  retrieveHistories:    { 200: tids('one'), 404: tids('none') },
  retrievePreviews:     { 200: tids('photo'), 404: tids('none') },
  retrieveVariations:   { 200: () => ({ value: { assetTids: ['one'] } }), 404: () => ({ value: { assetTids: ['none'] } }) },
  listVariationTypes:   { 200: () => ({}), 400: unspoken, 404: never },
  retrieveVariationTypes: { 200: () => ({}), 400: unspoken, 404: never },
  retrieveStatuses:     { 200: tids('one'), 404: tids('none') },
  retrieveStatus:       { 200: tids('one'), 404: tids('none') },
  download:             { 200: () => ({ query: { assetTid: 'one' } }), 206: () => ({ query: { assetTid: 'one', range: '0-1' } }), 304: () => ({ query: { assetTid: 'one' }, headers: { 'if-none-match': '*' } }),
                          400: () => ({ query: { assetTid: 'one', format: 'huge' } }), 403: async (api, n) => ({ query: { assetTid: await heldFile(api, n, 'infected') } }), 409: async (api, n) => ({ query: { assetTid: await heldFile(api, n, 'unchecked') } }), 404: () => ({ query: { assetTid: 'none' } }), 412: () => ({ query: { assetTid: 'one' }, headers: { 'if-match': '"x"' } }), 416: () => ({ query: { assetTid: 'one', range: '9999-' } }) },
  downloadMany:         { 200: tids('one', 'photo'), 403: () => ({ value: { tids: ['ended'], profile: 'web' } }), 409: async (api, n) => ({ value: { tids: [await heldFile(api, n, 'unchecked')] } }), 404: tids('none') },
  upload:               { 200: (_, n) => ({ value: path(n), payload }), 400: () => ({ value: {}, payload }), 403: () => ({ value: { path: '/MAM/calls/one.txt' }, payload }), 404: () => ({ value: { path: '/MAM/none/x.txt' }, payload }),
                          409: async (api) => (await lockFor(api, 'theirs', 'otto'), { value: { path: '/MAM/calls/theirs.txt', doOverwrite: true }, payload }), 413: (_, n) => ({ value: path(n), payload: large }) },
  uploadVariation:      { 200: (_, n) => ({ value: { tid: 'one', variationType: 'Web', variationFileName: `v${n}.txt` }, payload }), 400: () => ({ value: { tid: 'one', variationType: 'Odd' }, payload }), 403: () => ({ value: { tid: 'one', variationType: 'Web', variationFileName: 'one.txt' }, payload }),
                          404: () => ({ value: { tid: 'none', variationType: 'Web' }, payload }), 413: (_, n) => ({ value: { tid: 'one', variationType: 'Web', variationFileName: `l${n}.txt` }, payload: large }) },
  uploadVersion:        { 200: () => ({ value: { tid: 'one' }, payload }), 400: () => ({ value: {}, payload }), 403: async (api, n) => ({ value: { tid: 'one' }, payload, token: await narrow(api, n) }), 404: () => ({ value: { tid: 'none' }, payload }),
                          409: async (api) => (await lockFor(api, 'theirs', 'otto'), { value: { tid: 'theirs' }, payload }), 413: () => ({ value: { tid: 'one' }, payload: large }) },
  startUpload:          { 200: (_, n) => ({ value: path(n) }), 403: async (api, n) => ({ value: path(n), token: await narrow(api, n) }), 404: () => ({ value: { path: '/MAM/none/x.txt' } }), 413: () => ({ value: { path: `/MAM/calls/${'x'.repeat(21_000)}` } }) },
  uploadChunk:          { 200: async (api, n) => ({ params: (await begunUpload(api, n)).params, chunkId: '1', payload }), 400: async (api, n) => ({ params: (await begunUpload(api, n)).params, chunkId: 'x', payload }), 404: () => ({ params: noUpload, chunkId: '0', payload }),
                          413: async (api, n) => ({ params: (await begunUpload(api, n)).params, chunkId: '1', payload: large }) },
  finishUpload:         { 200: begunUpload, 403: async (api, n) => { const begun = await begunUpload(api, n); await upload(api, begun.value, 'taken'); return begun }, 404: () => ({ params: noUpload, value: path(0) }),
                          409: async (api, n) => { const begun = await begunUpload(api, n); const { tid } = recordOf(await upload(api, begun.value, 'taken')); await lockFor(api, tid, 'otto'); return { ...begun, value: { ...begun.value, doOverwrite: true } } },
                          413: async (api, n) => ({ params: (await begunUpload(api, n)).params, value: { path: `/MAM/calls/${'x'.repeat(21_000)}` } }) },
  retrieveUpload:       { 200: async (api, n) => ({ params: (await begunUpload(api, n)).params }), 400: async (api, n) => ({ params: (await begunUpload(api, n)).params, accept: 'text/html' }), 404: () => ({ params: noUpload }) },
  cancelUpload:         { 200: async (api, n) => ({ params: (await begunUpload(api, n)).params }), 400: async (api, n) => ({ params: (await begunUpload(api, n)).params, accept: 'text/html' }), 404: () => ({ params: noUpload }) },
  startVersion:         { 200: () => ({ value: { tid: 'one' } }), 403: async (api, n) => ({ value: { tid: 'one' }, token: await narrow(api, n) }), 404: () => ({ value: { tid: 'none' } }),
                          409: async (api) => (await lockFor(api, 'theirs', 'otto'), { value: { tid: 'theirs' } }), 413: () => ({ value: { tid: 'one', ...longText } }) },
  uploadVersionChunk:   { 200: async (api) => ({ params: (await begunVersion(api)).params, chunkId: '1', payload }), 400: async (api) => ({ params: (await begunVersion(api)).params, chunkId: '-1', payload }), 404: () => ({ params: noUpload, chunkId: '0', payload }),
                          413: async (api) => ({ params: (await begunVersion(api)).params, chunkId: '1', payload: large }) },
  finishVersion:        { 200: (api) => begunVersion(api), 403: async (api) => { const begun = await begunVersion(api); await api.db.run(sql`update upload set user_name = 'nia' where id = ${begun.params.uploadId}`); return { ...begun, token: await narrowToken(api) } },
                          404: () => ({ params: noUpload, value: { tid: 'one' } }), 409: async (api) => { await lockFor(api, 'theirs', null); const begun = await begunVersion(api, 'theirs'); await lockFor(api, 'theirs', 'otto'); return begun },
                          413: async (api) => ({ params: (await begunVersion(api)).params, value: { tid: 'one', ...longText } }) },
  retrieveVersionUpload: { 200: async (api) => ({ params: (await begunVersion(api)).params }), 400: async (api) => ({ params: (await begunVersion(api)).params, accept: 'text/html' }), 404: () => ({ params: noUpload }) },
  cancelVersionUpload:  { 200: async (api) => ({ params: (await begunVersion(api)).params }), 400: async (api) => ({ params: (await begunVersion(api)).params, accept: 'text/html' }), 404: () => ({ params: noUpload }) },
  downloadSigned:       { 200: async (api) => ({ url: await signed(api, { tid: 'one' }) }), 206: async (api) => ({ url: await signed(api, { tid: 'one' }), headers: { range: 'bytes=0-1' } }), 304: async (api) => ({ url: await signed(api, { tid: 'one' }), headers: { 'if-none-match': '*' } }),
                          403: () => ({ params: { ticket: 'nonsense' } }), 404: async (api, n) => { const gone = await goneAsset(api, n); return { url: gone.get } }, 412: async (api) => ({ url: await signed(api, { tid: 'one' }), headers: { 'if-match': '"x"' } }),
                          416: async (api) => ({ url: await signed(api, { tid: 'one' }), headers: { range: 'bytes=9999-' } }) },
  downloadSelection:    { 200: async (api) => ({ url: await signed(api, { tids: ['one'] }) }), 403: () => ({ query: { ticket: 'nonsense' } }), 404: async (api, n) => ({ url: (await goneAsset(api, n)).zip }) },
  uploadSigned:         { 200: async (api) => ({ url: await signed(api, { tid: 'one', method: 'PUT' }), payload }), 400: async (api) => ({ url: await signed(api, { tid: 'one', method: 'PUT' }), payload, accept: 'text/html' }), 403: () => ({ params: { ticket: 'nonsense' }, payload }),
                          404: async (api, n) => ({ url: (await goneAsset(api, n)).put, payload }), 409: async (api) => { await lockFor(api, 'theirs', null); const url = await signed(api, { tid: 'theirs', method: 'PUT' }); await lockFor(api, 'theirs', 'otto'); return { url, payload } },
                          413: async (api) => ({ url: await signed(api, { tid: 'one', method: 'PUT' }), payload: large }) },
  downloadPreview:      { 200: async (api) => ({ url: await previewUrl(api) }), 304: async (api) => ({ url: await previewUrl(api), headers: { 'if-none-match': '*' } }), 403: () => ({ params: { file: 'x' } }), 404: never },
  embeddedMetadata:     { 200: () => ({ query: { assetTid: 'photo' } }), 400: () => ({}), 404: () => ({ query: { assetTid: 'none' } }) },
  listRenditionProfiles: { 200: () => ({}) },
  putRenditionProfile:  { 200: (api) => ({ params: profile, token: api.adminToken, value: { width: 10 } }), 403: () => ({ params: profile, value: {} }) },
  deleteRenditionProfile: { 200: async (api, n) => ({ params: await newProfile(api, n), token: api.adminToken }), 403: () => ({ params: profile }), 404: (api) => ({ params: { tid: 'none' }, token: api.adminToken }) },
  revokeRenditionProfile: { 200: async (api, n) => ({ params: await newProfile(api, n), token: api.adminToken }), 403: () => ({ params: profile }), 404: (api) => ({ params: { tid: 'none' }, token: api.adminToken }) },
  rendition:            { 200: () => ({ query: small }), 206: () => ({ query: small, headers: { range: 'bytes=0-1' } }), 304: () => ({ query: small, headers: { 'if-none-match': '*' } }), 400: () => ({ query: { ...small, width: '0' } }), 403: () => ({ query: { assetTid: 'ended' } }), 404: () => ({ query: { assetTid: 'none' } }),
                          412: () => ({ query: small, headers: { 'if-match': '"x"' } }), 416: () => ({ query: small, headers: { range: 'bytes=99999-' } }), 503: never },
  renditionUrls:        { 200: () => ({ value: { tids: ['photo'], width: 5 } }), 403: () => ({ value: { tids: ['ended'] } }), 404: () => ({ value: { tids: ['none'] } }) },
  revokeRenditionUrls:  { 200: () => ({ value: { tids: ['one'] } }), 403: async (api, n) => ({ value: { tids: ['one'] }, token: await narrow(api, n) }), 404: () => ({ value: { tids: ['none'] } }) },
  publicRendition:      { ...publicly(''), 400: () => ({ params: { name: 'x' }, query: { width: '0', key: 'x' } }), 403: () => ({ params: { name: 'x' }, query: { asset: '1', until: '1', key: 'x' } }) },
  retrieveMedia:        { 200: async (api, n) => ({ value: { tids: [await newSound(api, n)] } }), 403: async (api, n) => ({ value: { tids: [await endedSound(api, n)] } }), 404: () => ({ value: { tids: ['none'] } }), 503: never },
  publicMedia:          { ...playing(), 400: () => ({ params: { name: 'x' }, query: { asset: '1' } }), 403: () => ({ params: { name: 'x' }, query: { asset: '1', until: '1', key: 'x' } }) },
  iiifBase:             { 303: async (api) => ({ url: await publicUrl(api, { iiif: true }) }), 403: () => ({ params: { image: 'x' } }), 404: (api, n) => goneImage(api, n) },
  iiifInfo:             { 200: async (api) => ({ url: `${await publicUrl(api, { iiif: true })}/info.json` }), 403: () => ({ params: { image: 'x' } }), 404: (api, n) => goneImage(api, n, '/info.json') },
  iiifImage:            { ...publicly('/full/max/0/default.jpg'), 400: async (api) => ({ url: `${await publicUrl(api, { iiif: true })}/none/max/0/default.jpg` }), 403: () => ({ params: { image: 'x' } }) },
}

const profile = { tid: 'sample' }
const small = { assetTid: 'photo', width: '7' }
async function newProfile(api: TestServer, n: number) {
  const tid = `profile-${n}`
  await api.post(`${dam.base}/renditions/profiles/${tid}`, { width: 9 }, { method: 'PUT', token: api.adminToken })
  return { tid }
}
async function publicUrl(api: TestServer, request: object, tid = 'photo'): Promise<string> {
  const { json } = await api.post(`${dam.base}/renditions/urls`, { tids: [tid], ...request })
  const { pathname, search } = new URL(json.urls[0].url as string)
  return pathname + search
}
/** The address of a picture that was deleted after it was issued. */
async function goneImage(api: TestServer, n: number, path?: string) {
  const tid = `gone picture ${n}`
  await upload(api, { path: `/MAM/calls/gone-${n}.jpg`, tid, doPreviewsAsync: false }, await picture(20, 20))
  const url = await publicUrl(api, path === '' ? { width: 5 } : { iiif: true }, tid)
  await api.post(`${dam.base}/assets/perform`, action('asset', 'delete', { tid }))
  return { url: url + (path ?? '') }
}
/** Samples of a public picture: at a path of the image service, or of an address of a file. */
function publicly(path: string): Samples {
  const url = async (api: TestServer) =>
    path === '' ? publicUrl(api, { width: 8 }) : `${await publicUrl(api, { iiif: true })}${path}`
  const sending =
    (headers: Record<string, string>): Make =>
    async (api) => ({ url: await url(api), headers })
  return {
    200: sending({}),
    206: sending({ range: 'bytes=0-1' }),
    304: sending({ 'if-none-match': '*' }),
    404: (api, n) => goneImage(api, n, path),
    412: sending({ 'if-match': '"x"' }),
    416: sending({ range: 'bytes=99999-' }),
    503: never,
  }
}

async function newSound(api: TestServer, n: number): Promise<string> {
  const tid = `sound ${n}`
  await upload(api, { path: `/MAM/calls/sound-${n}.wav`, tid, doPreviewsAsync: false }, wav(800 + n))
  return tid
}
async function endedSound(api: TestServer, n: number): Promise<string> {
  const tid = await newSound(api, n)
  const asset = [{ tid, usageRights: { validUntil: '2020-01-01' } }]
  await api.post(`${dam.base}/assets/persist`, { schemaVersion: '5.6.0', assets: { asset } })
  return tid
}
const soundUrl = async (api: TestServer, n: number) => publicUrl(api, { media: true }, await newSound(api, n))
function hearing(headers: Record<string, string>): Make {
  return async (api, n) => ({ url: await soundUrl(api, n), headers })
}
function playing(): Samples {
  return {
    200: hearing({}),
    206: hearing({ range: 'bytes=0-1' }),
    304: hearing({ 'if-none-match': '*' }),
    404: async (api, n) => {
      const url = await soundUrl(api, n)
      await api.post(`${dam.base}/assets/perform`, action('asset', 'delete', { tid: `sound ${n}` }))
      return { url }
    },
    412: hearing({ 'if-match': '"x"' }),
    416: hearing({ range: 'bytes=99999999-' }),
    503: never,
  }
}

let narrowOnce: Promise<string> | undefined
const narrowToken = (api: TestServer) => (narrowOnce ??= api.tokenFor({ name: 'nia', roles: ['narrow'] }))

/** Signed URLs of an asset that was deleted after they were issued. */
async function goneAsset(api: TestServer, n: number) {
  const tid = `gone ${n}`
  await upload(api, { path: `/MAM/calls/gone-${n}.txt`, tid }, 'gone')
  const [get, put, zip] = [
    await signed(api, { tid }),
    await signed(api, { tid, method: 'PUT' }),
    await signed(api, { tids: [tid] }),
  ]
  await api.post(`${dam.base}/assets/perform`, action('asset', 'delete', { tid }))
  return { get, put, zip }
}

// The calls that there are

interface Call {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly root?: Type | undefined
  readonly isForm: boolean
  readonly inAllFormats: boolean
  readonly statuses: readonly number[]
  readonly samples: Samples
  /** Errors are reported per item, in its record. */
  readonly isBatch: boolean
  readonly isPublic: boolean
}

function callsOf(name: string, resource: Resource): Call[] {
  const declared = (['query', 'retrieve', 'persist', 'perform'] as const).filter((verb) => resource[verb])
  const samples = verbs[name as keyof typeof verbs]
  const made = [...declared, ...(resource.bulk === 'write' ? (['bulk'] as const) : [])].map((verb): Call => {
    const root = verb === 'query' ? resource.query!.request : verb === 'retrieve' ? resource.retrieve! : Pim
    const statuses = resource.statuses?.[verb] ?? (verb === 'bulk' ? [200, 400, 401, 500] : usualStatuses)
    const isBatch = verb === 'persist' || verb === 'perform'
    const path = `${dam.base}/${name}/${verb}`
    const common = { method: 'POST', path, root, isForm: false, inAllFormats: true, isPublic: false } as const
    return { ...common, name: `${name}/${verb}`, statuses, samples: samples[verb]!, isBatch }
  })
  expect(Object.keys(samples), name).toEqual(made.map((one) => one.name.split('/').at(-1)))
  return made
}

const routeCall = ([name, route]: [string, Route]): Call => ({
  name,
  method: route.method,
  path: dam.base + route.path,
  root: route.request ?? (typeof route.form === 'object' ? route.form : undefined),
  isForm: route.form !== undefined,
  inAllFormats: route.formats === 'all',
  statuses: route.statuses,
  samples: routes[name as keyof typeof routes],
  isBatch: name === 'persistRncs',
  isPublic: route.access === 'public',
})

const calls: Call[] = [
  ...Object.entries<Resource>(dam.resources).flatMap(([name, resource]) => callsOf(name, resource)),
  ...Object.entries<Route>(dam.routes).map(routeCall),
]
const inFormats = (some: readonly Call[], status: number) =>
  some.flatMap((call) => {
    const supported: readonly FormatName[] = call.inAllFormats ? formatNames : ['json']
    return formatsFor(status, supported, calls.indexOf(call)).map((format) => ({ ...call, status, format }))
  })

// Sending

let count = 0
function send(api: TestServer, call: Call, format: FormatName, sent: Sent, token?: string | null): Promise<Reply> {
  const { mediaType, contentType } = formats[format]
  const text = (value: object) => (call.root ? encode(formats[format], call.root, value) : '')
  const isRaw = call.name === 'uploadSigned'
  const parts = call.isForm
    ? form(
        sent.chunkId === undefined
          ? { name: 'params', value: text(sent.value ?? {}), type: mediaType }
          : { name: 'chunkId', value: sent.chunkId },
        { name: 'payload', value: sent.payload ?? '', fileName: 'file.txt' },
      )
    : undefined
  const body = parts?.body ?? (isRaw ? sent.payload : sent.value && text(sent.value))
  const filled = call.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(sent.params?.[key] ?? 'x'))
  const query = sent.query ? `?${new URLSearchParams(sent.query)}` : ''
  return api.post(sent.url ?? filled + query, body, {
    method: call.method,
    token: token === undefined ? (call.isPublic ? null : (sent.token ?? api.token)) : token,
    type: parts?.type ?? (isRaw ? 'application/octet-stream' : contentType),
    accept: sent.accept ?? mediaType,
    headers: { ...sent.headers },
  })
}

function expectEnvelope({ text, headers }: Reply, format: FormatName): void {
  expect(headers['content-type']).toBe(formats[format].contentType)
  expect(format === 'xml' ? text.includes('<status>ERROR</status>') : JSON.parse(text).status === 'ERROR').toBe(true)
}

async function fill(api: TestServer): Promise<void> {
  await makeDirs(api, '/MAM/calls', '/MAM/theirs')
  await api.db.run(sql`
    with fresh as (insert into role (name, description) values ('narrow', '') returning name),
    everywhere as (insert into role_grant (role, kind, actions) select name, '*', '{read}' from fresh),
    there as (insert into role_grant (role, kind, actions) select name, '*', '{*}' from fresh returning id)
    insert into grant_scope (grant_id, tree, path) select id, 'dir', '/MAM/theirs' from there`)
  for (const tid of ['one', 'mine', 'theirs', 'ended'])
    await upload(api, { path: `/MAM/calls/${tid}.txt`, tid }, `file ${tid}`)
  const photo = { path: '/MAM/calls/photo.jpg', tid: 'photo', doPreviewsAsync: false }
  await upload(api, photo, await picture(20, 20))
  await api.db.run(sql`insert into asset_usage (asset_id, valid_until) select id, '2020-01-01' from dam_entry where tid = 'ended'`) // prettier-ignore
  await api.db.run(sql`insert into rendition_profile (tid, settings, modified_by) values ('web', '{}', 'ada')`)
}

const api = withServer({ ...limits, KONTOR_UPLOADS_PER_USER: '500' })
beforeAll(() => fill(api))

const generic = [401, 500]
/** By default, the sample of 400 for a call with a body is a malformed body. */
const hasSample = ({ samples, root }: Call, status: number) =>
  generic.includes(status) || status in samples || (status === 400 && root !== undefined)

test.each(calls)('$name has a sample of every status it documents', (call) => {
  expect(call.statuses.filter((status) => !hasSample(call, status))).toEqual([])
  expect(
    Object.keys(call.samples)
      .map(Number)
      .filter((status) => !call.statuses.includes(status)),
  ).toEqual([])
})

const rows = calls.flatMap((call) =>
  call.statuses
    .filter((status) => call.samples[status] && call.samples[status] !== never)
    .flatMap((status) => inFormats([call], status)),
)
describe('every documented status is returned', () => {
  test.each(rows)('$name: $status in $format', async ({ status, format, ...call }) => {
    const sent = await call.samples[status]!(api, ++count)
    const reply = await send(api, call, format, sent)
    if (call.isBatch && status === 404) {
      expect(reply.status, reply.text).toBe(200)
      expect(reply.text).toContain('1002')
      return
    }
    expect(reply.status, reply.text.slice(0, 500)).toBe(status)
    // With an Accept that is not spoken, JSON: none of these calls has a message that would say more.
    if (status >= 400) expectEnvelope(reply, sent.accept ? 'json' : format)
  })
})

describe('400: a malformed message, or one of another call', () => {
  const broken = { xml: '<pim', json: '{"schemaVersion":', compact: '{"schemaVersion":' }
  const withBody = calls.filter(({ root, isForm }) => root && !isForm)
  test.each(inFormats(withBody, 400))('$name in $format', async ({ format, ...call }) => {
    const { params = {} } = (await call.samples[200]!(api, ++count)) as Sent
    const url = call.path.replace('{uploadId}', params.uploadId ?? '')
    const { contentType: type, mediaType: accept } = formats[format]
    const options = { method: call.method, token: api.adminToken, type, accept }
    const token = call.name.startsWith('finish') ? api.token : api.adminToken
    const reply = await api.post(url, broken[format], { ...options, token })
    expect(reply.status).toBe(400)
    expectEnvelope(reply, format)
    const unknown = await api.post(url, { colour: 'red' }, { ...options, token, type: formats.json.contentType })
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('colour')])
  })
})

describe('401: no token or an invalid one', () => {
  const guarded = calls.filter(({ isPublic }) => !isPublic)
  test.each(inFormats(guarded, 401))('$name in $format', async ({ format, ...call }) => {
    for (const token of [null, 'x.y.z']) {
      const reply = await send(api, call, format, { params: noUpload, value: {} }, token)
      expect(reply.status).toBe(401)
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer/)
      expectEnvelope(reply, format)
    }
  })
})

describe('404 if nothing is stored', () => {
  const bare = withServer(limits)
  beforeAll(() => bare.db.run(sql`delete from variation_type`).then(() => bare.db.run(sql`delete from rnc`)))
  const names = ['retrieveRncs', 'listVariationTypes', 'retrieveVariationTypes']
  const some = calls.filter(({ name }) => names.includes(name))
  test.each(inFormats(some, 404))('$name in $format', async ({ format, ...call }) => {
    const reply = await send(bare, call, format, {})
    expect(reply.status, reply.text).toBe(404)
    expectEnvelope(reply, format)
  })
})

describe('500 if the database is broken', () => {
  const ruined = withServer(limits)
  const tables = [
    'dam_entry',
    'rnc',
    'blob',
    'asset_version',
    'asset_preview',
    'upload',
    'upload_chunk',
    'variation_type',
    'dam_attr_def',
    'bulk_run',
    'rendition',
    'rendition_profile',
    'asset_usage',
    'file_analysis',
  ]
  const requests = new Map<string, Sent>()
  beforeAll(async () => {
    await fill(ruined)
    for (const call of calls) requests.set(call.name, await (call.samples[200] ?? call.samples[303])!(ruined, ++count))
    for (const table of tables) await ruined.db.pool.query(`alter table ${table} rename to ${table}_lost`)
  })
  const failing = calls.filter(({ name, statuses }) => statuses.includes(500) && name !== 'downloadPreview')
  test.each(inFormats(failing, 500))('$name in $format', async ({ format, ...call }) => {
    const reply = await send(ruined, call, format, requests.get(call.name)!)
    expect(reply.status, reply.text).toBe(500)
    expectEnvelope(reply, format)
    for (const part of [/supportId/, /[0-9a-f-]{36}/, /1000/, /unknown internal error/])
      expect(reply.text).toMatch(part)
    expect(reply.text, 'nothing of the inside').not.toMatch(/relation|select|dam_entry|\.ts/)
  })
})

describe('a preview URL whose bytes are', () => {
  const lost = withServer(limits)
  let [url, file] = ['', '']
  const call = calls.find(({ name }) => name === 'downloadPreview')!
  beforeAll(async () => {
    await fill(lost)
    url = await previewUrl(lost)
    const sha256 = /bin\/([0-9a-f]{64})/.exec(url)![1]!
    file = join(lost.config.data, 'blobs', 'sha256', sha256.slice(0, 2), sha256.slice(2))
    await blobsOf(lost).remove(sha256)
  })
  afterAll(() => rm(file, { force: true }))
  test('gone: 404', async () => expect((await send(lost, call, 'json', { url })).status).toBe(404))
  inFolder('not to be read: 500', async () => {
    await symlink(file, file) // a circle, which no system opens
    expect((await send(lost, call, 'json', { url })).status).toBe(500)
  })
})
