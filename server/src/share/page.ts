/**
 * The HTML of the public pages. They load nothing from elsewhere: style and script are in the page, and the content security
 * policy allows exactly these two by their digests.
 */
import { createHash } from 'node:crypto'
import { html, type Html } from '../core/http/html.ts'
import { fill, type PageLanguage, textsIn } from './texts.ts'

export interface Page {
  readonly html: string
  readonly policy: string
}

const style = `
:root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.5}
body{margin:0 auto;max-width:72rem;padding:1.5rem;background:Canvas;color:CanvasText}
h1{font-size:1.5rem;margin:0 0 .5rem}
.hint{opacity:.8}.message{white-space:pre-line}.fault{border-left:4px solid #c92a2a;padding:.25rem .75rem}
ul{list-style:none;padding:0;margin:1.5rem 0}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:1rem}
.grid li{border:1px solid GrayText;border-radius:.5rem;padding:.75rem;display:flex;flex-direction:column;gap:.5rem}
.grid img,.grid video{width:100%;height:10rem;object-fit:contain}.grid audio{width:100%}
.name{overflow-wrap:anywhere;font-weight:600}
a,label.drop{color:LinkText}
.actions{display:flex;flex-wrap:wrap;gap:.5rem 1rem}
form{display:flex;flex-direction:column;gap:.5rem;max-width:22rem}
input,button{font:inherit;padding:.5rem;border-radius:.25rem}
button{background:#1c5d99;color:#fff;border:0;cursor:pointer}
label.drop{display:block;border:2px dashed GrayText;border-radius:.5rem;padding:2.5rem 1rem;text-align:center;cursor:pointer}
label.drop:focus-within,label.drop.over,a:focus-visible,button:focus-visible{outline:3px solid Highlight;outline-offset:2px}
#list li{display:flex;gap:1rem;justify-content:space-between;border-bottom:1px solid GrayText;padding:.5rem 0}
progress{width:8rem}
.offscreen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}`

/** Sends the chosen files one after the other and shows their progress. */
const script = `
const box=document.getElementById('drop'),input=document.getElementById('files'),list=document.getElementById('list');
const texts=JSON.parse(document.getElementById('texts').textContent);
const why={413:texts.tooLarge,409:texts.full,400:texts.notAllowed};
let last=Promise.resolve();
const send=(file)=>new Promise((done)=>{
  const row=document.createElement('li'),name=document.createElement('span'),state=document.createElement('span');
  const bar=document.createElement('progress');
  name.textContent=file.name;name.className='name';state.textContent=texts.sending;bar.max=1;bar.value=0;
  bar.setAttribute('aria-label',file.name);
  row.append(name,bar,state);list.append(row);
  const call=new XMLHttpRequest();
  call.open('POST',location.pathname+'/files?name='+encodeURIComponent(file.name.normalize('NFC')));
  call.setRequestHeader('content-type','application/octet-stream');
  call.upload.onprogress=(event)=>{if(event.lengthComputable)bar.value=event.loaded/event.total};
  call.onloadend=()=>{bar.remove();
    state.textContent=call.status===200?texts.sent:(why[call.status]||texts.failed);
    if(call.status===401||call.status===404)location.reload();
    done()};
  call.send(file);
});
const add=(files)=>{for(const file of files)last=last.then(()=>send(file))};
input.addEventListener('change',()=>{add([...input.files]);input.value=''});
for(const name of ['dragenter','dragover'])box.addEventListener(name,(event)=>{event.preventDefault();box.classList.add('over')});
for(const name of ['dragleave','drop'])box.addEventListener(name,()=>box.classList.remove('over'));
box.addEventListener('drop',(event)=>{event.preventDefault();add([...event.dataTransfer.files])});`

const digestOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const [styleDigest, scriptDigest] = [digestOf(style), digestOf(script)]

const layout = (language: PageLanguage, title: string, body: Html, hasScript = false): Page => ({
  html: html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${{ html: `<style>${style}</style>` }}
      </head>
      <body>
        <main>${body}</main>
        ${hasScript ? { html: `<script>${script}</script>` } : undefined}
      </body>
    </html> `.html,
  policy: [
    `default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; img-src 'self'; media-src 'self'`,
    `style-src ${styleDigest}`,
    ...(hasScript ? [`script-src ${scriptDigest}`, `connect-src 'self'`] : []),
  ].join('; '),
})

const join = (parts: readonly Html[]): Html => ({ html: parts.map((part) => part.html).join('') })

interface ShownFile {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly hasPicture: boolean
  /** Of films and sounds; preparing while there is nothing to play yet. */
  readonly player?: 'video' | 'audio' | 'preparing' | undefined
  /** Whether its usage rights forbid it. */
  readonly isRefused: boolean
}
export interface Format {
  /** original, or the tid of a profile. */
  readonly key: string
  /** Null for the original. */
  readonly name: string | null
}
interface DownloadPage {
  readonly title: string
  readonly message?: string | undefined
  readonly expiresAt: Date
  readonly files: readonly ShownFile[]
  readonly total: number
  readonly formats: readonly Format[]
  readonly page: number
  readonly lastPage: number
}
interface UploadPage extends Pick<DownloadPage, 'title' | 'message' | 'expiresAt'> {
  readonly maxFiles: number
  readonly maxMegabytes: number
  readonly extensions: readonly string[]
}

/** The parts of a page with files. `at` is the path of the page. */
function partsIn(language: PageLanguage, at: string) {
  const t = textsIn(language)
  const nameOf = ({ name }: Format) => name ?? t.original
  const size = (bytes: number) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 1, style: 'unit', unit: bytes < 1e6 ? 'kilobyte' : 'megabyte' }).format(bytes / (bytes < 1e6 ? 1e3 : 1e6)) // prettier-ignore
  const item = (formats: readonly Format[]) => (file: ShownFile) => {
    const picture = html`<img src="${at}/preview/${String(file.id)}" alt="" loading="lazy" />`
    const source = `${at}/media/${String(file.id)}`
    const players = {
      video: html`<video src="${source}" poster="${file.hasPicture ? `${at}/preview/${String(file.id)}` : ''}" controls preload="none" aria-label="${file.name}"></video>`, // prettier-ignore
      audio: html`${file.hasPicture ? picture : undefined}<audio src="${source}" controls preload="none" aria-label="${file.name}"></audio>`, // prettier-ignore
      preparing: html`${file.hasPicture ? picture : undefined}<span class="hint">${t.preparing}</span>`,
    }
    const link = (format: Format) => {
      const label = fill(t.download, { name: file.name, format: nameOf(format) })
      return html`<a href="${at}/file/${String(file.id)}?format=${encodeURIComponent(format.key)}" aria-label="${label}">${nameOf(format)}</a>` // prettier-ignore
    }
    const actions = file.isRefused
      ? html`<span class="fault">${t.ended}</span>`
      : html`<span class="actions">${join(formats.map(link))}</span>`
    return html`<li>
      ${file.player ? players[file.player] : file.hasPicture ? picture : undefined}
      <span class="name">${file.name}</span>
      <span class="hint">${size(file.size)}</span>
      ${actions}
    </li>`
  }
  const all = (formats: readonly Format[]) =>
    html`<p>${t.downloadAll}:</p>
      <p class="actions">
        ${join(formats.map((format) => html`<a href="${at}/zip?format=${encodeURIComponent(format.key)}" aria-label="${`${t.downloadAll}: ${nameOf(format)}`}">${nameOf(format)}</a>`))}
      </p>`
  const pager = ({ page, lastPage }: DownloadPage) =>
    html`<nav class="actions" aria-label="${t.pages}">
      ${page > 1 ? html`<a href="${at}?page=${String(page - 1)}">${t.previous}</a>` : undefined}
      <span>${String(page)} / ${String(lastPage)}</span>
      ${page < lastPage ? html`<a href="${at}?page=${String(page + 1)}">${t.next}</a>` : undefined}
    </nav>`
  return { item, all, pager }
}

/** `at` is the path of the page. */
export function pagesIn(language: PageLanguage, at: string) {
  const t = textsIn(language)
  const head = ({ title, message, expiresAt }: Pick<DownloadPage, 'title' | 'message' | 'expiresAt'>) => {
    const date = expiresAt.toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' })
    return html`<h1>${title}</h1>
      ${message === undefined ? undefined : html`<p class="message">${message}</p>`}
      <p class="hint">${fill(t.until, { date })}</p>`
  }
  const notice = (title: string, text: string) => layout(language, title, html`<h1>${title}</h1><p>${text}</p>`) // prettier-ignore
  const { item, all, pager } = partsIn(language, at)
  return {
    gone: () => notice(t.gone, t.goneHint),
    refused: () => notice(t.refused, t.refusedHint),
    password: (title: string, fault?: 'wrong' | 'tooMany') =>
      layout(
        language,
        title,
        html`<h1>${title}</h1>
          <p>${t.passwordHint}</p>
          ${fault === undefined ? undefined : html`<p class="fault" role="alert">${t[fault]}</p>`}
          <form method="post" action="${at}">
            <label for="password">${t.password}</label>
            <input
              id="password"
              name="password"
              type="password"
              autocomplete="off"
              maxlength="128"
              required
              autofocus
            />
            <button type="submit">${t.open}</button>
          </form>`,
      ),
    download: (shown: DownloadPage) =>
      layout(
        language,
        shown.title,
        html`${head(shown)}
          <p class="hint">
            ${shown.total === 0 ? t.none : shown.total === 1 ? t.oneFile : fill(t.files, { count: shown.total })}
          </p>
          ${shown.total > 1 && shown.formats.length > 0 ? all(shown.formats) : undefined}
          <ul class="grid">
            ${join(shown.files.map(item(shown.formats)))}
          </ul>
          ${shown.lastPage > 1 ? pager(shown) : undefined}`,
      ),
    upload: (shown: UploadPage) => {
      const { sending, sent, failed, tooLarge, full, notAllowed } = t
      const texts = JSON.stringify({ sending, sent, failed, tooLarge, full, notAllowed })
      return layout(
        language,
        shown.title,
        html`${head(shown)}
          <p class="hint">
            ${fill(t.limits, { count: shown.maxFiles, size: shown.maxMegabytes })}
            ${shown.extensions.length > 0 ? fill(t.kinds, { kinds: shown.extensions.join(', ') }) : undefined}
          </p>
          <noscript><p class="fault">${t.script}</p></noscript>
          <label class="drop" id="drop">${t.choose}<input class="offscreen" type="file" id="files" multiple /></label>
          <ul id="list" aria-live="polite"></ul>
          <script type="application/json" id="texts">
            ${{ html: texts.replaceAll('<', String.raw`\u003c`) }}
          </script>`,
        true,
      )
    },
  }
}
