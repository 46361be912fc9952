/** The identity area: the caller's own account and tokens; users, groups, roles, clients and the audit log for administrators. */
import { area, flag, moment, whole, word } from '../endpoint.ts'
import {
  AuditEntryList,
  ClientAccount,
  ClientAccountChange,
  ClientAccountList,
  GroupNames,
  LogoutNotice,
  NewClientAccount,
  NewPersonalToken,
  NewUserAccount,
  PasswordChange,
  PasswordReset,
  Person,
  PersonalToken,
  PersonalTokenList,
  ProfileChange,
  RecoveryCodes,
  RoleNames,
  RoleTrial,
  RoleTrialResult,
  ShownPassword,
  TwoFactorCode,
  TwoFactorSecret,
  TwoFactorState,
  UserAccount,
  UserAccountChange,
  UserAccountList,
  UserGroup,
  UserGroupChange,
  UserGroupList,
  UserRole,
  UserRoleChange,
  UserRoleList,
} from '../schema/identity.ts'

/** For any signed-in user. */
const own = { access: 'user', formats: 'json', own: true, needs: { action: 'read' } } as const
const admin = { access: 'admin', formats: 'json', own: true } as const
const list = [200, 401, 403] as const
const read = [200, 401, 403, 404] as const
const write = [200, 400, 401, 403, 404, 409] as const

// prettier-ignore
export const identity = area({
  base: '/api/v1/identity',
  doc: 'Your own account, permissions and personal tokens; users, groups, roles, clients and the audit log for administrators.',
  resources: {},
  routes: {
    me:             { ...own, doc: 'Returns your account and your permissions.', method: 'GET', path: '/me', reply: Person, statuses: [200, 401] },
    changeMe:       { ...own, doc: 'Updates your display name, e-mail address and home page.', method: 'PATCH', path: '/me', request: ProfileChange, reply: Person, statuses: [200, 400, 401, 403] },
    changePassword: { ...own, doc: 'Changes your password. Needs a sign-in: personal tokens are refused.', method: 'POST', path: '/me/password', request: PasswordChange, statuses: [200, 400, 401, 403, 429] },
    getTwoFactor:   { ...own, doc: 'Returns whether two-factor authentication is on for your account.', method: 'GET', path: '/me/two-factor', reply: TwoFactorState, statuses: [200, 401] },
    beginTwoFactor: { ...own, doc: 'Creates a secret for an authenticator app. Two-factor authentication is turned on when you confirm it with a code.', method: 'POST', path: '/me/two-factor', reply: TwoFactorSecret, statuses: [200, 400, 401, 403, 409] },
    confirmTwoFactor: { ...own, doc: 'Turns on two-factor authentication. The code proves that your app has the secret.', method: 'PUT', path: '/me/two-factor', request: TwoFactorCode, reply: RecoveryCodes, statuses: [200, 400, 401, 403, 404, 409] },
    removeTwoFactor: { ...own, doc: 'Turns off two-factor authentication. Requires a code.', method: 'POST', path: '/me/two-factor/remove', request: TwoFactorCode, statuses: [200, 400, 401, 403, 429] },
    listTokens:     { ...own, doc: 'Lists your personal tokens.', method: 'GET', path: '/tokens', reply: PersonalTokenList, statuses: [200, 401] },
    createToken:    { ...own, doc: 'Creates a personal token. The token is shown only in this reply. A personal token cannot create others.', method: 'POST', path: '/tokens', request: NewPersonalToken, reply: PersonalToken, statuses: [200, 400, 401, 403] },
    revokeToken:    { ...own, doc: 'Revokes one of your personal tokens.', method: 'DELETE', path: '/tokens/{id}', statuses: [200, 401, 404] },
    backchannelLogout: { doc: 'Receives logout tokens of an external identity provider (OpenID Connect Back-Channel Logout 1.0). The access tokens of the session are refused from then on.', access: 'public', method: 'POST', path: '/backchannel-logout', requestForm: LogoutNotice, formats: 'json', statuses: [200, 400, 404], own: true },

    listUsers:      { ...admin, doc: 'Lists users by name.', method: 'GET', path: '/users', reply: UserAccountList, statuses: [200, 400, 401, 403],
                      query: { search: 'A part of the name, the display name or the e-mail address.', role: 'Only users with this role, directly or through a group.', group: 'Only members of this group.', enabled: flag('true lists only users who can sign in, false only users who cannot.'), after: 'Only users after this name. Use it to fetch the next page.', count: whole('Page size. Default 100.', 1, 1000) } },
    createUser:     { ...admin, doc: 'Creates a user.', method: 'POST', path: '/users', request: NewUserAccount, reply: ShownPassword, statuses: write },
    getUser:        { ...admin, doc: 'Returns one user.', method: 'GET', path: '/users/{id}', reply: UserAccount, statuses: read },
    changeUser:     { ...admin, doc: 'Updates, enables or disables a user.', method: 'PATCH', path: '/users/{id}', request: UserAccountChange, reply: UserAccount, statuses: write },
    getUserAccess:  { ...admin, doc: 'Returns the effective permissions of a user: all roles and their combined grants.', method: 'GET', path: '/users/{id}/access', reply: Person, statuses: read },
    listUserTokens: { ...admin, doc: 'Lists the personal tokens of a user.', method: 'GET', path: '/users/{id}/tokens', reply: PersonalTokenList, statuses: read },
    revokeUserToken:{ ...admin, doc: 'Revokes a personal token of a user.', method: 'DELETE', path: '/users/{id}/tokens/{token}', statuses: read },
    resetPassword:  { ...admin, doc: 'Resets the password of a user and ends all their sessions. The user must change it at the next sign-in.', method: 'POST', path: '/users/{id}/password', request: PasswordReset, requestOptional: true, reply: ShownPassword, statuses: write },
    setUserRoles:   { ...admin, doc: 'Replaces the roles of a user.', method: 'PUT', path: '/users/{id}/roles', request: RoleNames, reply: UserAccount, statuses: write },
    setUserGroups:  { ...admin, doc: 'Replaces the groups of a user.', method: 'PUT', path: '/users/{id}/groups', request: GroupNames, reply: UserAccount, statuses: write },
    resetTwoFactor: { ...admin, doc: 'Turns off two-factor authentication for a user who has lost their device.', method: 'DELETE', path: '/users/{id}/two-factor', statuses: read },
    unlockUser:     { ...admin, doc: 'Unlocks a user after too many failed sign-ins.', method: 'POST', path: '/users/{id}/unlock', statuses: read },
    logoutUser:     { ...admin, doc: 'Ends all sessions and revokes all tokens of a user.', method: 'POST', path: '/users/{id}/logout', statuses: [200, 400, 401, 403, 404] },

    listGroups:     { ...admin, doc: 'Lists groups by name.', method: 'GET', path: '/groups', reply: UserGroupList, statuses: list },
    putGroup:       { ...admin, doc: 'Creates or replaces a group.', method: 'PUT', path: '/groups/{name}', request: UserGroupChange, reply: UserGroup, statuses: write },
    deleteGroup:    { ...admin, doc: 'Deletes a group. Its members lose the roles of the group.', method: 'DELETE', path: '/groups/{name}', statuses: [...read, 409] },
    listRoles:      { ...admin, doc: 'Lists roles by name, with their grants.', method: 'GET', path: '/roles', reply: UserRoleList, statuses: list },
    putRole:        { ...admin, doc: 'Creates or replaces a role.', method: 'PUT', path: '/roles/{name}', params: { name: { doc: 'Name of the role.', pattern: '^[a-z][a-z0-9_-]{0,63}$' } }, request: UserRoleChange, reply: UserRole, statuses: write },
    tryRole:        { ...admin, doc: 'Tries the grants of a role without storing it: what they allow, alone or together with the other roles of a user. The reply has a name for the header Kontor-View-As, valid for an hour, with which reading calls see what the role would let them see.', method: 'POST', path: '/roles/try', request: RoleTrial, reply: RoleTrialResult, statuses: write },
    deleteRole:     { ...admin, doc: 'Deletes a role. All users and groups lose it.', method: 'DELETE', path: '/roles/{name}', statuses: [200, 400, 401, 403, 404] },

    listClients:    { ...admin, doc: 'Lists the clients of the identity provider.', method: 'GET', path: '/clients', reply: ClientAccountList, statuses: list },
    createClient:   { ...admin, doc: 'Creates a client with a secret. The secret is shown only in this reply.', method: 'POST', path: '/clients', request: NewClientAccount, reply: ClientAccount, statuses: write },
    changeClient:   { ...admin, doc: 'Updates, enables or disables a client, or renews its secret.', method: 'PATCH', path: '/clients/{id}', request: ClientAccountChange, reply: ClientAccount, statuses: write },

    deleteClient:   { ...admin, doc: 'Deletes a client with a secret, ends its sessions and disables its service user.', method: 'DELETE', path: '/clients/{id}', statuses: [200, 400, 401, 403, 404] },

    listAudit:      { ...admin, doc: 'Lists the events of the audit log, newest first.', method: 'GET', path: '/audit', reply: AuditEntryList, statuses: [200, 400, 401, 403],
                      query: { actor: 'Only events caused by this user.', action: 'Only this action, or all actions that begin with it: user matches user.create.', except: 'Leaves out these actions, separated by commas: token.refresh.', object: 'Only events on this object.', outcome: word('Only events with this outcome.', ['success', 'failure']), from: moment('Only events at or after this time.'), to: moment('Only events before this time.'), before: whole('Only events with a lower number. Use it to fetch the next page.'), count: whole('Page size. Default 100.', 1, 1000) } },
  },
})
