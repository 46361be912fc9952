/** Help beside each screen, and the tour. Loaded when somebody opens the help, or signs in for the first time. */
import { defineTexts } from '../ui/language.tsx'

/** The pages of the documentation that the build contains, by their path. */
const pages = import.meta.glob<string>('../../../docs/{*,how-to/*,tutorial/*}.md', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
})
const page = (path: string) => pages[`../../../docs/${path}`]

/** The address of a page that says more, for each screen. */
export const documentation = {
  home: page('how-to/look-around.md'),
  products: page('tutorial/first-product.md'),
  model: page('tutorial/first-product.md'),
  assets: page('how-to/upload-files.md'),
  sharing: page('how-to/share-files.md'),
  channels: page('how-to/feed-a-shop.md'),
  search: page('search-cookbook.md'),
  tasks: page('workflow.md'),
  workflow: page('workflow.md'),
  glossaries: page('how-to/look-around.md'),
  keywords: page('how-to/look-around.md'),
  messages: page('workflow.md'),
  settings: page('operations.md'),
  api: page('how-to/connect-a-system.md'),
  transfers: page('how-to/map-a-file.md'),
  feeds: page('how-to/run-a-feed.md'),
  rules: page('how-to/use-rules.md'),
}

export const screenHelp = defineTexts('help', {
  home: 'Your tasks, your recent objects, and how ready each channel is. Click a number to see what is behind it.',
  products:
    'Choose a category on the left to list its products. Click a product to open it, or double-click a cell to edit it in place. Select several products to change them together. On a product, the bar at the top saves all changes at once; unsaved changes stay in this browser.',
  model:
    'Categories form trees and have attributes; categories below inherit them. Define an attribute once, then add it to the categories that need it.',
  assets:
    'All files, newest first. Choose a folder on the left, filter above, or drop files anywhere to upload them. Open a file to edit its metadata, see its versions and where it is used.',
  sharing:
    'Collections keep files together. Share pages show them to people without an account; upload requests let such people deliver files, which wait here until you accept them. Revoke a page to end it at once.',
  channels:
    'A channel is a place where you publish: a shop, a catalogue, a page. Add products, see which required values are missing per language, and write texts that apply only there.',
  search:
    'Search words, codes or “exact phrases”; small typing errors are fine. Narrow the hits by the values on the left, or build exact conditions. Save a search to find it again.',
  tasks:
    'What workflows ask of you and your roles. Open a task, look at its object, and complete it. Claim a task of your role so that nobody else does it too.',
  workflow: 'Start a workflow for products or files, follow the running ones, and draw your own definitions.',
  glossaries: 'House terms with their translations. Forbidden words are marked where people write texts.',
  keywords: 'A tree of words that files are tagged with. Drag a keyword to move it with everything below.',
  messages: 'Messages from people and workflows appear here. You can write to a person or to everybody with a role.',
  settings:
    'Your profile, password and tokens. Administrators also maintain users, roles, languages, storages and search indexes here, and read the audit log.',
  api: 'Everything the console does is a call of the public interface. Find a call here, and open its full reference.',
  transfers:
    'Import a spreadsheet, XML or ZIP: you can check how its columns are matched before anything is saved. Export products with the columns and languages you choose.',
  rules:
    'A rule fills values of everything that matches its conditions. Preview it to see old and new values before it runs; every run can be undone.',
  feeds: 'A feed repeats an import or export on a schedule, from or to a server. Each run is listed with its result.',
})

export const tourTexts = defineTexts('tour', {
  more: 'More in the documentation',
  startTour: 'Start the tour',
  tour: 'A tour of Kontor',
  step: '{step} of {count}',
  next: 'Next',
  previous: 'Back',
  skip: 'Skip the tour',
  finish: 'Done',
  palette: 'Find anything here, or press Ctrl K: products, files, channels and pages. Small typing errors are fine.',
  products: 'Products are listed by category. Open one to edit its texts, pictures and variants.',
  assets: 'Pictures and documents. Drop files on the page to upload them.',
  channels: 'Channels are where you publish. Each shows how complete its products are.',
  tasks: 'Your tasks from workflows: translate, check, approve.',
  help: 'The question mark explains the screen you are on. Start this tour again there.',
})
