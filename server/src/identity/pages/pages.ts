/** The few pages people see: sign in, sign out, passwords, and what went wrong. Static, without scripts, all escaped; what they say is in page-words.ts. */
import { html, type Html } from '../../core/http/html.ts'
import { languageOf, type PageLanguage, type PageWords, pageWords } from './page-texts.ts'

export interface Page {
  readonly html: string
  readonly policy: string
}

interface FormPage {
  fault?: string
  /** The origins to which the form's answer may lead. */
  formTargets?: readonly string[]
}

const faultOf = (fault: string | undefined) =>
  fault === undefined ? undefined : html`<p class="fault" role="alert">${fault}</p>`

/** `name` is what the browser and the password manager know the field by. */
const password = (name: string, label: string, autocomplete: 'current-password' | 'new-password', first = false) =>
  html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="password"
      autocomplete="${autocomplete}"
      maxlength="512"
      required
      ${first ? html`autofocus` : undefined}
    />`

const userName = (words: PageWords, value: string) =>
  html`<label for="username">${words.userName}</label>
    <input
      id="username"
      name="username"
      value="${value}"
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
      maxlength="255"
      required
      ${value === '' ? html`autofocus` : undefined}
    />`

const code = (words: PageWords, isRequired: boolean) =>
  html`<label for="code">${isRequired ? words.code : words.codeIfAny}</label>
    <input
      id="code"
      name="code"
      autocomplete="one-time-code"
      autocapitalize="characters"
      spellcheck="false"
      maxlength="32"
      ${isRequired ? html`required autofocus` : undefined}
    />`

const newPasswords = (words: PageWords, first: boolean) =>
  html`${password('new-password', words.newPassword, 'new-password', first)}
    <p class="hint">${words.passwordHint}</p>
    ${password('repeat-password', words.newPasswordAgain, 'new-password')}`

function pagesIn(language: PageLanguage, at: Drawings) {
  const words = pageWords[language]
  const page = (title: string, body: Html, formTargets: readonly string[] = []): Page => ({
    html: html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title} · Kontor</title>
          <link rel="stylesheet" href="${at.stylesheet}" />
        </head>
        <body>
          <header><img src="${at.wordmark}" alt="Kontor" width="148" height="40" /></header>
          <main>${body}</main>
        </body>
      </html> `.html,
    policy: [
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      `form-action ${["'self'", ...formTargets].join(' ')}`,
    ].join('; '),
  })

  return {
    words,
    /** The form posts to its own address, which names the sign-in under way. */
    signIn: ({ name, fault, formTargets }: FormPage & { name: string }) =>
      page(
        words.signIn,
        html`<h1>${words.signIn}</h1>
          ${faultOf(fault)}
          <form method="post">
            ${userName(words, name)} ${password('password', words.password, 'current-password', name !== '')}
            <button type="submit">${words.signIn}</button>
          </form>`,
        formTargets,
      ),
    /** An empty action posts to the page's own address. The name is there for the browser's memory of passwords. */
    newPassword: ({ action, name, fault, formTargets }: FormPage & { action: string; name: string }) =>
      page(
        words.choosePassword,
        html`<h1>${words.choosePassword}</h1>
          <p>${words.chosenByOthers}</p>
          ${faultOf(fault)}
          <form method="post" ${action === '' ? undefined : html`action="${action}"`}>
            <input name="username" value="${name}" autocomplete="username" hidden />
            ${newPasswords(words, true)}
            <button type="submit">${words.saveAndGoOn}</button>
          </form>`,
        formTargets,
      ),
    code: ({ action, fault, formTargets }: FormPage & { action: string }) =>
      page(
        words.enterCode,
        html`<h1>${words.enterCode}</h1>
          <p>${words.whereCodeIs}</p>
          ${faultOf(fault)}
          <form method="post" ${action === '' ? undefined : html`action="${action}"`}>
            ${code(words, true)}
            <button type="submit">${words.goOn}</button>
          </form>`,
        formTargets,
      ),
    changePassword: ({ name = '', fault }: FormPage & { name?: string }) =>
      page(
        words.changeYourPassword,
        html`<h1>${words.changeYourPassword}</h1>
          <p>${words.whatChangeEnds}</p>
          ${faultOf(fault)}
          <form method="post">
            ${userName(words, name)} ${password('password', words.presentPassword, 'current-password', name !== '')}
            ${code(words, false)} ${newPasswords(words, false)}
            <button type="submit">${words.changePassword}</button>
          </form>`,
      ),
    passwordChanged: () =>
      page(
        words.passwordChanged,
        html`<h1>${words.yourPasswordIsChanged}</h1>
          <p>${words.signInAgain}</p>`,
      ),
    /** `form` is the provider's own, with the token against forgery in it; the buttons belong to it. */
    signOut: (form: string, formTargets: readonly string[]) =>
      page(
        words.signOut,
        html`<h1>${words.signOutAsked}</h1>
          <p>${words.whatSignOutEnds}</p>
          ${{ html: form }}
          <button type="submit" form="op.logoutForm" name="logout" value="yes">${words.signOut}</button>
          <button type="submit" form="op.logoutForm" class="quiet">${words.staySignedIn}</button>`,
        formTargets,
      ),
    signedOut: () =>
      page(
        words.signedOut,
        html`<h1>${words.youAreSignedOut}</h1>
          <p>${words.closeWindow}</p>`,
      ),
    fault: (description: string) =>
      page(
        words.notPossible,
        html`<h1>${words.didNotWork}</h1>
          ${faultOf(description)}
          <p>${words.goBack}</p>`,
      ),
  }
}

/** Where the stylesheet and the wordmark are. */
interface Drawings {
  readonly stylesheet: string
  readonly wordmark: string
}

export type Pages = ReturnType<typeof pagesIn>
/** The pages in the language of a browser, by what it sends as Accept-Language. */
export type PagesFor = (accepted: string | undefined) => Pages

export function createPages(at: Drawings): PagesFor {
  const byLanguage = { en: pagesIn('en', at), de: pagesIn('de', at) }
  return (accepted) => byLanguage[languageOf(accepted)]
}

/** Where the answer to a form may lead in the end; browsers hold redirects against form-action too. */
export const formTargetsOf = (address: unknown): string[] =>
  typeof address === 'string' && URL.canParse(address) ? [new URL(address).origin] : []
