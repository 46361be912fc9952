/** Films and sounds with the real ffmpeg: facts, stills, posters, waveforms, copies that browsers play, hostile files. */
import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bytesOf, dam, makeDirs, picture, recordOf, upload, wav } from '../../../../test/files.ts'
import { field, searchCalls } from '../../../../test/search.ts'
import { withServer } from '../../../../test/server.ts'
import { filmOf, hasPrograms, make } from '../../../../test/tools.ts'
import { sql } from '../../../adapters/postgres/sql.ts'
import { fromAudio, fromVideo } from '../../assets/previews/film.ts'

/** Temporary files of these tests alone: others copy films, too. */
const temporary = mkdtempSync(join(tmpdir(), 'kontor-media-'))
process.env.TMPDIR = temporary
afterAll(() => rm(temporary, { recursive: true }))

const api = withServer({ KONTOR_PREVIEW_SECONDS: '60' })
const { found } = searchCalls(api)

const take = async (tid: string, bytes: Buffer | string, name = tid) => {
  const reply = await upload(api, { path: `/MAM/films/${name}`, tid, doPreviewsAsync: false }, bytes)
  expect(recordOf(reply).status, reply.text).toBe('SUCCESS')
  return tid
}
type Item = { key: string; value: string }
const factsOf = async (tid: string): Promise<Record<string, string>> => {
  const { json } = await api.post(`${dam}/assets/retrieve`, { tids: [tid] })
  return Object.fromEntries(json.assets.asset[0].meta.itm.map(({ key, value }: Item) => [key, value]))
}
const media = (tid: string, more: object = {}, token = api.token) =>
  api.post(`${dam}/renditions/media`, { tids: [tid], ...more }, { token })
const stateOf = async (tid: string, more: object = {}) => {
  const reply = await media(tid, more)
  expect(reply.status, reply.text).toBe(200)
  return reply.json.media[0]
}
const readyOf = (tid: string) =>
  vi.waitFor(
    async () => {
      const state = await stateOf(tid)
      expect(state.state, JSON.stringify(state)).toBe('ready')
      return state
    },
    { timeout: 120_000, interval: 200 },
  )
const open = async (url: string, headers: Record<string, string> = {}) => {
  const { pathname, search } = new URL(url, 'http://kontor')
  return api.app.http.inject({ url: pathname + search, headers })
}
const persist = (tid: string, meta: Record<string, string>, token = api.token) => {
  const itm = Object.entries(meta).map(([key, value]) => ({ key, value }))
  return api.post(`${dam}/assets/persist`, { schemaVersion: '5.6.0', assets: { asset: [{ tid, meta: { itm } }] } }, { token }) // prettier-ignore
}
/** One second each of red, green and blue. */
const colours = ['red', 'green', 'blue'].map((colour) => `color=${colour}:s=320x180:r=10:d=1[${colour}]`)
const threeColours = (name: string, ...options: string[]) =>
  filmOf(name, '-i', `${colours.join(';')};[red][green][blue]concat=n=3`, '-pix_fmt', 'yuv420p', ...options)
const colourOf = async (bytes: Buffer) => {
  const { channels } = await sharp(bytes).stats()
  const means = channels.slice(0, 3).map(({ mean }) => mean)
  return ['red', 'green', 'blue'][means.indexOf(Math.max(...means))]
}
const still = (tid: string, query = '') => bytesOf(api, `/renditions/bin?assetTid=${tid}&width=100${query}`)

let worker: Awaited<ReturnType<typeof api.startWorker>>
beforeAll(async () => {
  await makeDirs(api, '/MAM/films')
  worker = await api.startWorker()
})
const boxesOf = (side: number) => {
  const box = { width: side, height: side }
  return { thumbnail: box, preview: box, fullsize: box }
}
/** Folders and processes of copies that should have ended. */
const leftovers = async () => {
  const folders = (await readdir(temporary)).filter((name) => name.startsWith('kontor-copy-'))
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'])
  return [...folders, ...stdout.split('\n').filter((line) => line.includes(`${temporary}/kontor-copy-`))]
}

const hasFfmpeg = hasPrograms('ffmpeg', 'ffprobe')

describe.skipIf(!hasFfmpeg)('with ffmpeg', () => {
  describe('a film', () => {
    beforeAll(async () => {
      await take('colours.mp4', await threeColours('film.mp4'))
    })

    test('has its facts as meta and in search', async () => {
      const expected = { duration: '3', frameRate: '10', videoCodec: 'h264', width: '320', height: '180' }
      expect(await factsOf('colours.mp4')).toMatchObject({ ...expected, orientation: 'landscape' })
      await vi.waitFor(async () => {
        expect(await found('ASSET', field('duration', 'GE', '3'))).toContain('colours.mp4')
        expect(await found('ASSET', field('videoCodec', 'EQ', 'h264'))).toContain('colours.mp4')
      })
    })

    test('that is turned has the size that people see', async () => {
      const plain = await threeColours('plain.mp4')
      const options = ['-v', 'error', '-i', '{}/plain.mp4', '-c', 'copy', '-metadata:s:v', 'rotate=90', 'turned.mp4']
      await take('turned.mp4', await make('turned.mp4', 'ffmpeg', options, { 'plain.mp4': plain }))
      const { width, height, rotation, orientation } = await factsOf('turned.mp4')
      expect([width, height, orientation]).toEqual(['180', '320', 'portrait'])
      expect(['90', '270']).toContain(rotation)
    })

    test.each([
      ['&t=0.5', 'red'],
      ['&t=1.5', 'green'],
      ['&t=2.5', 'blue'],
    ])('has a still of %s: %s', async (query, colour) => {
      const { status, bytes } = await still('colours.mp4', query)
      expect(status, bytes.toString('utf8', 0, 300)).toBe(200)
      expect(await colourOf(bytes)).toBe(colour)
    })

    test('has stills by profile, size and format', async () => {
      const profile = { width: 64, height: 64, fit: 'cover', format: 'webp', t: 2.5 }
      await api.post(`${dam}/renditions/profiles/end`, profile, { method: 'PUT', token: api.adminToken })
      const { bytes } = await bytesOf(api, '/renditions/bin?assetTid=colours.mp4&profile=end')
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 64, height: 64 })
      expect(await colourOf(bytes)).toBe('blue')
      const { json } = await api.post(`${dam}/renditions/urls`, { tids: ['colours.mp4'], width: 50, t: 1.5 })
      expect(await colourOf((await open(json.urls[0].url)).rawPayload)).toBe('green')
    })

    test.each([
      ['&t=99', 'it lasts 3 s'],
      ['&t=-1', 't: expected 0 to 86400'],
      ['&t=1e3', 't: expected 0 to 86400'],
      ['&t=86401', 'expected 0 to 86400'],
    ])('refuses a still of %s: %s', async (query, reason) => {
      const { status, bytes } = await still('colours.mp4', query)
      expect(status).toBe(400)
      expect(bytes.toString()).toContain(reason)
    })

    test('shows the second that somebody chose in previews and renditions; others may not choose', async () => {
      await take('poster.mp4', await threeColours('poster.mp4', '-metadata', 'title=Poster'))
      const shown = async () => colourOf((await bytesOf(api, '/assets/bin?assetTid=poster.mp4&format=preview')).bytes)
      for (const [second, colour] of [
        ['2.5', 'blue'],
        ['0.2', 'red'],
      ] as const) {
        // prettier-ignore
        expect((await persist('poster.mp4', { posterTime: second })).text).toContain('SUCCESS')
        await vi.waitFor(async () => expect(await shown()).toBe(colour), { timeout: 30_000, interval: 200 })
        expect(await colourOf((await still('poster.mp4')).bytes)).toBe(colour)
      }
      const { json } = await api.post(`${dam}/assets/histories/retrieve`, { tids: ['poster.mp4'] })
      expect(JSON.stringify(json)).toContain('posterTime')
      expect((await persist('poster.mp4', { posterTime: 'soon' })).text).toContain('expected a second of the film')
      await take('photo', await picture(20, 20), 'photo.jpg')
      expect((await persist('photo', { posterTime: '1' })).text).toContain('only films have one')
    })

    test('that browsers play is played as it is, in parts', async () => {
      const { url, isOriginal, duration } = await readyOf('colours.mp4')
      expect([isOriginal, duration]).toEqual([true, 3])
      const part = await open(url, { range: 'bytes=4-7' })
      expect([part.statusCode, part.body, part.headers['content-type']]).toEqual([206, 'ftyp', 'video/mp4'])
    })

    test.each(['film.avi', 'film.mov', 'film.mpg', 'film.wmv', 'film.mkv'])(
      '%s gets a copy once, which browsers play',
      async (name) => {
        // prettier-ignore
        const codec = name.endsWith('.mkv') ? ['-c:v', 'mpeg4'] : []
        const bytes = await filmOf(
          name,
          '-i',
          'testsrc2=s=1600x1200:r=25:d=1',
          '-f',
          'lavfi',
          '-i',
          'sine=d=1',
          ...codec,
        )
        await take(name, bytes)
        const states = await Promise.all([stateOf(name), stateOf(name), stateOf(name)])
        for (const { state } of states) expect(['waiting', 'running', 'ready']).toContain(state)
        const { url, isOriginal, mimeType } = await readyOf(name)
        expect([isOriginal, mimeType]).toEqual([false, 'video/mp4'])
        const whole = await open(url)
        expect(whole.rawPayload.indexOf('moov'), 'the index comes first').toBeLessThan(whole.rawPayload.indexOf('mdat'))
        await take(`copy of ${name}`, whole.rawPayload, `copy of ${name}.mp4`)
        expect(await factsOf(`copy of ${name}`)).toMatchObject({ videoCodec: 'h264', audioCodec: 'aac', width: '960', height: '720' }) // prettier-ignore
        expect(await api.db.rows(sql`select from film_copy`)).toEqual([])
      },
    )
  })

  describe('a sound', () => {
    test.each([
      ['sound.wav', true],
      ['sound.mp3', true],
      ['sound.flac', true],
      ['sound.m4a', true],
      ['sound.ogg', false],
      ['sound.aiff', false],
    ])('%s has facts, a waveform and something to play (as it is: %s)', async (name, isAsIs) => {
      const tags = ['-metadata', 'title=Wind', '-metadata', 'artist=Kim']
      await take(name, await filmOf(name, '-i', 'sine=f=440:d=2:r=44100,volume=0.5', ...tags))
      const facts = await factsOf(name)
      expect(Math.round(Number(facts.duration))).toBe(2)
      expect(facts).toMatchObject({ audioChannels: '1', sampleRate: '44100' })
      const { peaks, isOriginal, url } = await readyOf(name)
      expect(isOriginal).toBe(isAsIs)
      expect([peaks.length > 100, Math.max(...peaks) > 2, Math.max(...peaks) <= 100]).toEqual([true, true, true])
      const reply = await open(url)
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, expect.stringMatching(/^audio\//)])
      expect((await bytesOf(api, `/assets/bin?assetTid=${name}&format=preview`)).status).toBe(200)
    })

    test('fills title and author from its tags', async () => {
      await take('tagged.mp3', await filmOf('tagged.mp3', '-i', 'sine=d=1', '-metadata', 'title=Wind', '-metadata', 'artist=Kim')) // prettier-ignore
      expect(await factsOf('tagged.mp3')).toMatchObject({ mediaTitle: 'Wind', mediaArtist: 'Kim' })
    })
  })

  describe('an address', () => {
    test('that was changed, or is of another file, is refused', async () => {
      const { url } = await readyOf('colours.mp4')
      const changed = new URL(url, 'http://kontor')
      changed.searchParams.set('asset', '1')
      expect((await open(String(changed))).statusCode).toBe(403)
      changed.searchParams.delete('key')
      expect((await open(String(changed))).statusCode).toBe(400)
    })

    test('for a month is signed, and ends when it is revoked', async () => {
      const { json } = await api.post(`${dam}/renditions/urls`, { tids: ['colours.mp4'], media: true, days: 10 })
      expect((await open(json.urls[0].url)).statusCode).toBe(200)
      const both = await api.post(`${dam}/renditions/urls`, { tids: ['colours.mp4'], media: true, width: 5 })
      expect([both.status, both.text]).toEqual([400, expect.stringContaining('not several')])
      await api.post(`${dam}/renditions/urls/revoke`, { tids: ['colours.mp4'] })
      expect((await open(json.urls[0].url)).statusCode).toBe(403)
      expect((await open((await readyOf('colours.mp4')).url)).statusCode).toBe(200)
    })

    test('of a film whose rights have ended is refused, and there is no new one', async () => {
      await take('ended.mp4', await threeColours('ended.mp4', '-metadata', 'title=Ended'))
      const { url } = await readyOf('ended.mp4')
      const asset = { tid: 'ended.mp4', usageRights: { validUntil: '2020-01-01' } }
      await api.post(`${dam}/assets/persist`, { schemaVersion: '5.6.0', assets: { asset: [asset] } })
      expect((await open(url)).statusCode).toBe(403)
      expect((await media('ended.mp4')).status).toBe(403)
    })

    test('of a picture does not exist; the picture is left out', async () => {
      await take('plain', await picture(20, 20), 'plain.jpg')
      expect((await media('plain')).json.media ?? []).toEqual([])
      const { json } = await api.post(`${dam}/renditions/urls`, { tids: ['plain'], media: true })
      expect((await open(json.urls[0].url)).statusCode).toBe(404)
    })
  })

  describe('hostile files', () => {
    const order = { number: 1, name: 'x', boxes: boxesOf(100), maxPixels: 1e8, pages: 1 }
    const sandbox = { level: 'none' } as const

    test.each([
      ['HLS playlist', (at: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${at}\n#EXT-X-ENDLIST\n`],
      ['concat list', (at: string) => `ffconcat version 1.0\nfile ${at}\n`],
      ['DASH manifest', (at: string) => `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet><Representation id="1"><BaseURL>${at}</BaseURL></Representation></AdaptationSet></Period></MPD>`], // prettier-ignore
      ['session description', () => 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n'],
    ])('a %s reads neither other files nor the network, even outside the sandbox', async (_kind, listing) => {
      let visits = 0
      const server = createServer((_request, response) => void (visits++, response.end()))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const folder = await mkdtemp(join(tmpdir(), 'kontor-hostile-'))
      await writeFile(join(folder, 'secret.mp4'), await threeColours('secret.mp4'))
      const tools = { ffmpeg: '/usr/bin/ffmpeg', ffprobe: '/usr/bin/ffprobe' }
      const port = (server.address() as AddressInfo).port
      for (const at of [`http://127.0.0.1:${port}/film.mp4`, `file://${folder}/secret.mp4`, `${folder}/secret.mp4`]) {
        const file = join(folder, 'list.mp4')
        await writeFile(file, listing(at))
        for (const mime of ['video/mp4', 'video/webm', 'video/x-msvideo', 'video/mpeg', 'video/x-ms-wmv'])
          await expect(fromVideo({ ...order, file, mime, folder, tools, sandbox })).rejects.toThrow()
        await expect(fromAudio({ ...order, file, mime: 'audio/mpeg', folder, tools, sandbox })).rejects.toThrow()
      }
      expect([visits, await readdir(folder)]).toEqual([0, expect.not.arrayContaining(['frame.png'])])
      server.close()
      await rm(folder, { recursive: true })
    })

    test('a playlist under the name of a film is a text, which ffmpeg never gets', async () => {
      await take('list', '#EXTM3U\n#EXTINF:1,\n/etc/passwd\n', 'list.mp4')
      expect((await factsOf('list')).mimeType).not.toMatch(/video/)
      expect((await media('list')).json.media ?? []).toEqual([])
    })

    test('empty, cut, huge and false files have no previews, a reason, and harm nothing else', async () => {
      const whole = await threeColours('whole.mp4', '-metadata', 'title=whole')
      const huge = await filmOf('huge.avi', '-i', 'color=red:s=12000x9000:r=1:d=1', '-c:v', 'mjpeg')
      const streams = Array.from({ length: 300 }, () => ['-map', '0:a']).flat()
      const many = await filmOf('many.mkv', '-i', 'sine=d=0.1', ...streams, '-c:a', 'pcm_u8')
      const files = {
        'empty.mp4': Buffer.alloc(0),
        'head.mp4': whole.subarray(0, 32),
        'cut.mp4': whole.subarray(0, Math.floor(whole.length / 3)),
        'huge.avi': huge,
        'many.mkv': many,
        'noise.mp3': Buffer.concat([Buffer.from('ID3'), Buffer.alloc(5000, 7)]),
      }
      for (const [name, bytes] of Object.entries(files)) {
        await take(name, bytes)
        if (name === 'empty.mp4') continue // not recognised as a film
        expect([name, (await factsOf(name)).importStatus]).toEqual([name, 'incomplete'])
        await vi.waitFor(async () => {
          const { state, note } = await stateOf(name)
          expect([name, state, note]).toEqual([name, 'failed', expect.stringMatching(/./)])
          expect(note).not.toContain('/tmp')
        }, { timeout: 120_000, interval: 200 }) // prettier-ignore
      }
      expect((await still('colours.mp4', '&t=0.3')).status).toBe(200)
    })

    test('a film that claims to last for years has no duration, and is copied as far as it goes', async () => {
      const film = await threeColours('claim.mov', '-c:v', 'mpeg4')
      const at = film.indexOf('mvhd') + 16 // the time scale, then the duration
      film.writeUInt32BE(1, at)
      film.writeUInt32BE(0xff_ff_ff_f0, at + 4)
      await take('claim.mov', film)
      const { duration = '3' } = await factsOf('claim.mov')
      expect(Number(duration)).toBeLessThan(4)
      expect((await readyOf('claim.mov')).isOriginal).toBe(false)
    })
  })

  test('a copy that is interrupted is made once by the next process', async () => {
    const name = 'interrupted.avi'
    await take(name, await filmOf(name, '-i', 'testsrc2=s=640x480:r=25:d=40', '-c:v', 'mpeg4', '-q:v', '10'))
    await worker.stop()
    await stateOf(name)
    const first = await api.startWorker()
    await vi.waitFor(async () => expect((await stateOf(name)).state).toBe('running'), { timeout: 120_000 })
    await first.stop()
    expect((await stateOf(name)).state).not.toBe('ready')
    worker = await api.startWorker()
    await readyOf(name)
    const made = await api.db.rows(sql`select from rendition r join dam_entry e on e.sha256 = r.source where e.tid = ${name}`) // prettier-ignore
    expect([made.length, await leftovers()]).toEqual([1, []])
  })
})

describe.skipIf(!hasFfmpeg)('with little time and few places', () => {
  const hurried = withServer({ KONTOR_FILM_SECONDS: '1' })
  const ask = async (tid: string, more = {}) => hurried.post(`${dam}/renditions/media`, { tids: [tid], ...more })

  test('a copy that takes too long is ended with everything that it began; it can be asked for again', async () => {
    await makeDirs(hurried, '/MAM/films')
    const film = await filmOf('long.avi', '-i', 'testsrc2=s=640x480:r=25:d=60', '-c:v', 'mpeg4', '-q:v', '10')
    await upload(hurried, { path: '/MAM/films/long.avi', tid: 'long', doPreviewsAsync: false }, film)
    await hurried.startWorker()
    for (const more of [{}, { again: true }]) {
      await ask('long', more)
      await vi.waitFor(async () => {
        const { json } = await ask('long')
        expect(json.media[0]).toMatchObject({ state: 'failed', note: 'not made within 1 seconds' })
      }, { timeout: 120_000, interval: 200 }) // prettier-ignore
    }
    expect(await leftovers()).toEqual([])
  })

  test('the copies that wait for one person are counted', async () => {
    const [asset] = await hurried.db.rows<{ sha256: string }>(sql`select sha256 from dam_entry where tid = 'long'`)
    await hurried.db.run(sql`delete from film_copy`)
    await hurried.db.run(sql`
      insert into blob (sha256, size) select lpad(n::text, 64, '0'), 1 from generate_series(1, 20) n`)
    await hurried.db.run(sql`
      insert into film_copy (source, holder)
      select lpad(n::text, 64, '0'), 'user ' || u.id from generate_series(1, 20) n, user_account u where u.name = 'kim'`)
    const { status, text } = await ask('long')
    expect([asset !== undefined, status, text]).toEqual([true, 503, expect.stringContaining('copiesWaiting')])
  })
})

describe('without ffmpeg', () => {
  const bare = withServer({ KONTOR_TOOLS: '/nowhere' })
  const ask = async (tid: string) => (await bare.post(`${dam}/renditions/media`, { tids: [tid] })).json.media[0]

  test('files that browsers usually play are played as they are; the others say what is missing', async () => {
    await makeDirs(bare, '/MAM/films')
    await upload(bare, { path: '/MAM/films/a.wav', tid: 'wav', doPreviewsAsync: false }, wav())
    await upload(bare, { path: '/MAM/films/a.avi', tid: 'avi', doPreviewsAsync: false }, 'RIFF\0\0\0\0AVI ')
    expect(await ask('wav')).toMatchObject({ kind: 'sound', state: 'ready', isOriginal: true })
    expect(await ask('avi')).toMatchObject({ state: 'none', note: expect.stringContaining('ffmpeg') })
    const still = await bytesOf(bare, '/renditions/bin?assetTid=avi&width=10')
    expect([still.status, still.bytes.toString()]).toEqual([400, expect.stringContaining('no picture')])
  })
})
