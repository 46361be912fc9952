/** Filters, copies, and opens the type that a link points to. The page works without it. */
const all = (selector, within = document) => [...within.querySelectorAll(selector)]
const targetOf = ({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1)))
const filter = document.querySelector('#filter')

function applyFilter() {
  const words = filter.value.toLowerCase().split(/\s+/)
  const hasShown = (group, selector) => all(selector, group).some((part) => !part.hidden)
  for (const part of all('[data-text]')) part.hidden = !words.every((word) => part.dataset.text.includes(word))
  for (const part of all('nav li li')) part.hidden = targetOf(part.firstElementChild).hidden
  for (const group of all('nav li:has(ul), nav details')) group.hidden = !hasShown(group, 'li li, :scope > ul > li')
  for (const group of all('main section')) group.hidden = !hasShown(group, '[data-text]')
  document.querySelector('#nothing').hidden = hasShown(document, '[data-text]')
}

/** The clipboard API of browsers needs https; this works everywhere. */
function copy({ target }) {
  getSelection().selectAllChildren(target.closest('figure').querySelector('code'))
  target.textContent = document.execCommand('copy') ? 'Copied' : 'Selected'
  setTimeout(() => (target.textContent = 'Copy'), 1500)
}

function openTarget() {
  targetOf(location)?.closest('details.type')?.setAttribute('open', '')
}

filter.hidden = false
filter.addEventListener('input', applyFilter)
addEventListener('hashchange', openTarget)
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === filter) return
  event.preventDefault()
  filter.focus()
})
for (const button of all('.copy')) {
  button.hidden = false
  button.addEventListener('click', copy)
}
openTarget()
