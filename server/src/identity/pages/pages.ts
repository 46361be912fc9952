/**
 * The HTML pages of the identity provider: sign in, sign out, change a password, errors. They are static, contain no
 * scripts, and escape all values. Their texts are in page-texts.ts.
 */
import { html, type Html } from '../../core/http/html.ts'
import { languageOf, type PageLanguage, type PageTexts, pageTexts } from './page-texts.ts'

export interface Page {
  readonly html: string
  readonly policy: string
}

interface FormPage {
  fault?: string
  /** The origins to which the reply to the form may redirect. */
  formTargets?: readonly string[]
}

const faultOf = (fault: string | undefined) =>
  fault === undefined ? undefined : html`<p class="fault" role="alert">${fault}</p>`

/** Browsers and password managers identify the field by `name`. */
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

const userName = (texts: PageTexts, value: string) =>
  html`<label for="username">${texts.userName}</label>
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

const code = (texts: PageTexts, isRequired: boolean) =>
  html`<label for="code">${isRequired ? texts.code : texts.codeIfAny}</label>
    <input
      id="code"
      name="code"
      autocomplete="one-time-code"
      autocapitalize="characters"
      spellcheck="false"
      maxlength="32"
      ${isRequired ? html`required autofocus` : undefined}
    />`

const newPasswords = (texts: PageTexts, first: boolean) =>
  html`${password('new-password', texts.newPassword, 'new-password', first)}
    <p class="hint">${texts.passwordHint}</p>
    ${password('repeat-password', texts.newPasswordAgain, 'new-password')}`

/** Returns a function that wraps the body of a page in the common layout. */
const createLayout =
  (language: PageLanguage, at: Assets) =>
  (title: string, body: Html, formTargets: readonly string[] = []): Page => ({
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

function pagesIn(language: PageLanguage, at: Assets) {
  const texts = pageTexts[language]
  const page = createLayout(language, at)
  const notice = (title: string, heading: string, text: string) =>
    page(
      title,
      html`<h1>${heading}</h1>
        <p>${text}</p>`,
    )
  return {
    texts,
    /** The form posts to its own address, which identifies the interaction. */
    signIn: ({ name, fault, formTargets }: FormPage & { name: string }) =>
      page(
        texts.signIn,
        html`<h1>${texts.signIn}</h1>
          ${faultOf(fault)}
          <form method="post">
            ${userName(texts, name)} ${password('password', texts.password, 'current-password', name !== '')}
            <button type="submit">${texts.signIn}</button>
          </form>`,
        formTargets,
      ),
    /** An empty action posts to the page's own address. The hidden name is for password managers. */
    newPassword: ({ action, name, fault, formTargets }: FormPage & { action: string; name: string }) =>
      page(
        texts.choosePassword,
        html`<h1>${texts.choosePassword}</h1>
          <p>${texts.chosenBySomebodyElse}</p>
          ${faultOf(fault)}
          <form method="post" ${action === '' ? undefined : html`action="${action}"`}>
            <input name="username" value="${name}" autocomplete="username" hidden />
            ${newPasswords(texts, true)}
            <button type="submit">${texts.saveAndContinue}</button>
          </form>`,
        formTargets,
      ),
    code: ({ action, fault, formTargets }: FormPage & { action: string }) =>
      page(
        texts.enterCode,
        html`<h1>${texts.enterCode}</h1>
          <p>${texts.codeHint}</p>
          ${faultOf(fault)}
          <form method="post" ${action === '' ? undefined : html`action="${action}"`}>
            ${code(texts, true)}
            <button type="submit">${texts.continue}</button>
          </form>`,
        formTargets,
      ),
    changePassword: ({ name = '', fault }: FormPage & { name?: string }) =>
      page(
        texts.changeYourPassword,
        html`<h1>${texts.changeYourPassword}</h1>
          <p>${texts.changePasswordHint}</p>
          ${faultOf(fault)}
          <form method="post">
            ${userName(texts, name)} ${password('password', texts.currentPassword, 'current-password', name !== '')}
            ${code(texts, false)} ${newPasswords(texts, false)}
            <button type="submit">${texts.changePassword}</button>
          </form>`,
      ),
    passwordChanged: () => notice(texts.passwordChanged, texts.yourPasswordIsChanged, texts.signInAgain),
    /** `form` comes from the provider and contains a token against cross-site request forgery. The buttons submit it. */
    signOut: (form: string, formTargets: readonly string[]) =>
      page(
        texts.signOut,
        html`<h1>${texts.signOutQuestion}</h1>
          <p>${texts.signOutHint}</p>
          ${{ html: form }}
          <button type="submit" form="op.logoutForm" name="logout" value="yes">${texts.signOut}</button>
          <button type="submit" form="op.logoutForm" class="quiet">${texts.staySignedIn}</button>`,
        formTargets,
      ),
    signedOut: () => notice(texts.signedOut, texts.youAreSignedOut, texts.closeWindow),
    fault: (description: string) =>
      page(
        texts.notPossible,
        html`<h1>${texts.didNotWork}</h1>
          ${faultOf(description)}
          <p>${texts.goBack}</p>`,
      ),
  }
}

/** The addresses of the stylesheet and the logo. */
interface Assets {
  readonly stylesheet: string
  readonly wordmark: string
}

export type Pages = ReturnType<typeof pagesIn>
/** Returns the pages in the language of an Accept-Language header. */
export type PagesFor = (accepted: string | undefined) => Pages

export function createPages(at: Assets): PagesFor {
  const byLanguage = { en: pagesIn('en', at), de: pagesIn('de', at), fr: pagesIn('fr', at) }
  return (accepted) => byLanguage[languageOf(accepted)]
}

/** The origins to allow in `form-action`: browsers check the redirects that follow a form against it, too. */
export const formTargetsOf = (address: unknown): string[] =>
  typeof address === 'string' && URL.canParse(address) ? [new URL(address).origin] : []
