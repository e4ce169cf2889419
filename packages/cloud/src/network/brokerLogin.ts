// The logins at a broker of the operator, as MQTT_URL and MQTT_ADMIN_URL hold them.

export interface BrokerLogin {
  readonly user: string
  readonly password: string
}

/** The user and the password of a URL, decoded; undefined when they are not percent-encoded. */
export function brokerLogin(url: string): BrokerLogin | undefined {
  const { password, username } = new URL(url)
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    return undefined
  }
}

/** What is wrong with the logins of both URLs, which are addresses already; undefined when nothing is. */
export function brokerLoginFault({
  MQTT_ADMIN_URL,
  MQTT_URL,
}: {
  readonly MQTT_ADMIN_URL: string | undefined
  readonly MQTT_URL: string | undefined
}): string | undefined {
  const own = MQTT_URL === undefined ? undefined : brokerLogin(MQTT_URL)
  if (MQTT_URL !== undefined && !own) return 'MQTT_URL must hold its user and password percent-encoded'
  if (MQTT_ADMIN_URL === undefined) return undefined
  if (!own) return 'MQTT_ADMIN_URL is for the broker in MQTT_URL: give both'
  const admin = brokerLogin(MQTT_ADMIN_URL)
  if (!admin) return 'MQTT_ADMIN_URL must hold its user and password percent-encoded'
  if (!admin.user || !admin.password)
    return 'MQTT_ADMIN_URL must hold the user and the password of its account: mqtts://user:password@host'
  if (!own.user || !own.password)
    return 'MQTT_URL must hold a user and a password where MQTT_ADMIN_URL is given: the cloud adds that account to the broker'
  if (own.user === admin.user)
    return 'MQTT_ADMIN_URL must be another account than MQTT_URL: it may change all accounts, so it carries no messages'
  return undefined
}
