/** The few pages people see: sign in, sign out, passwords, and what went wrong. Static, without scripts, all escaped. */
import { html, type Html } from '../core/html.ts'

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

const userName = (value: string) =>
  html`<label for="username">User name</label>
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

const code = (isRequired: boolean) =>
  html`<label for="code">${isRequired ? 'Code' : 'Code of your authenticator app, if you use one'}</label>
    <input
      id="code"
      name="code"
      autocomplete="one-time-code"
      autocapitalize="characters"
      spellcheck="false"
      maxlength="32"
      ${isRequired ? html`required autofocus` : undefined}
    />`

const newPasswords = (first: boolean) =>
  html`${password('new-password', 'New password', 'new-password', first)}
    <p class="hint">At least 12 characters. A few words that do not belong together are a good one.</p>
    ${password('repeat-password', 'New password again', 'new-password')}`

/** `at` is the address below which the stylesheet and the wordmark are. */
export function createPages(at: { stylesheet: string; wordmark: string }) {
  const page = (title: string, body: Html, formTargets: readonly string[] = []): Page => ({
    html: html`<!doctype html>
      <html lang="en">
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
    /** The form posts to its own address, which names the sign-in under way. */
    signIn: ({ name, fault, formTargets }: FormPage & { name: string }) =>
      page(
        'Sign in',
        html`<h1>Sign in</h1>
          ${faultOf(fault)}
          <form method="post">
            ${userName(name)} ${password('password', 'Password', 'current-password', name !== '')}
            <button type="submit">Sign in</button>
          </form>`,
        formTargets,
      ),
    /** An empty action posts to the page's own address. The name is there for the browser's memory of passwords. */
    newPassword: ({ action, name, fault, formTargets }: FormPage & { action: string; name: string }) =>
      page(
        'Choose a password',
        html`<h1>Choose a password</h1>
          <p>Somebody else chose the one you came with. From now on only you should know it.</p>
          ${faultOf(fault)}
          <form method="post" ${action === '' ? undefined : html`action="${action}"`}>
            <input name="username" value="${name}" autocomplete="username" hidden />
            ${newPasswords(true)}
            <button type="submit">Save and go on</button>
          </form>`,
        formTargets,
      ),
    code: ({ action, fault, formTargets }: FormPage & { action: string }) =>
      page(
        'Enter a code',
        html`<h1>Enter a code</h1>
          <p>Your authenticator app shows it. If you have lost the app, use one of your recovery codes.</p>
          ${faultOf(fault)}
          <form method="post" ${action === '' ? undefined : html`action="${action}"`}>
            ${code(true)}
            <button type="submit">Go on</button>
          </form>`,
        formTargets,
      ),
    changePassword: ({ name = '', fault }: FormPage & { name?: string }) =>
      page(
        'Change your password',
        html`<h1>Change your password</h1>
          <p>Everything you are signed in to ends, and you sign in anew with the new one.</p>
          ${faultOf(fault)}
          <form method="post">
            ${userName(name)} ${password('password', 'Present password', 'current-password', name !== '')}
            ${code(false)} ${newPasswords(false)}
            <button type="submit">Change password</button>
          </form>`,
      ),
    passwordChanged: () =>
      page(
        'Password changed',
        html`<h1>Your password is changed</h1>
          <p>Sign in again with the new one. Tokens you had made are void.</p>`,
      ),
    /** `form` is the provider's own, with the token against forgery in it; the buttons belong to it. */
    signOut: (form: string, formTargets: readonly string[]) =>
      page(
        'Sign out',
        html`<h1>Sign out?</h1>
          <p>Every application you opened in this browser with this account is signed out too.</p>
          ${{ html: form }}
          <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
          <button type="submit" form="op.logoutForm" class="quiet">Stay signed in</button>`,
        formTargets,
      ),
    signedOut: () =>
      page(
        'Signed out',
        html`<h1>You are signed out</h1>
          <p>You can close this window.</p>`,
      ),
    fault: (description: string) =>
      page(
        'Not possible',
        html`<h1>This did not work</h1>
          ${faultOf(description)}
          <p>Go back to the application and try again.</p>`,
      ),
  }
}

/** Where the answer to a form may lead in the end; browsers hold redirects against form-action too. */
export const formTargetsOf = (address: unknown): string[] =>
  typeof address === 'string' && URL.canParse(address) ? [new URL(address).origin] : []

export type Pages = ReturnType<typeof createPages>
