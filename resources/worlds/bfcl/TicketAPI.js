/* BFCL's TicketAPI, written for Assay after the documentation of its functions and the states in its data. */
;(() => {
  const ticketOf = (own, id) => own.ticket_queue.find(ticket => ticket.id === id)
  const onTicket = act => (own, args) => {
    const ticket = ticketOf(own, args.ticket_id)
    return ticket ? act(ticket, args) : { error: `There is no ticket ${args.ticket_id}.` }
  }
  const ended = (status, verb) =>
    onTicket((ticket, { resolution }) => {
      if (ticket.status === status) return { error: `Ticket ${ticket.id} was ${verb} before.` }
      ticket.status = status
      if (resolution !== undefined) ticket.resolution = resolution
      return { status: `${ticket.id} ${verb}` }
    })
  return {
    ticket_login: (own, { username, password }) => {
      if (username === '' || password === '') return { success: false }
      own.current_user = username
      return { success: true }
    },
    ticket_get_login_status: own => ({ login_status: own.current_user !== null }),
    logout: own => {
      const success = own.current_user !== null
      own.current_user = null
      return { success }
    },
    create_ticket: (own, { title, description = '', priority = 1 }) => {
      if (own.current_user === null) return { error: 'Sign in to create a ticket.' }
      if (priority < 1 || priority > 5) return { error: 'The priority is from 1 to 5.' }
      const ticket = { id: own.ticket_counter, title, description, status: 'Open', priority, created_by: own.current_user }
      own.ticket_queue.push(ticket)
      own.ticket_counter++
      return ticket
    },
    get_ticket: onTicket(ticket => ticket),
    close_ticket: ended('Closed', 'closed'),
    resolve_ticket: ended('Resolved', 'resolved'),
    edit_ticket: onTicket((ticket, { updates }) => {
      for (const name of ['title', 'description', 'status', 'priority'])
        if (updates[name] !== undefined && updates[name] !== null) ticket[name] = updates[name]
      return { status: `${ticket.id} updated` }
    }),
    get_user_tickets: (own, { status }) =>
      own.current_user === null
        ? { error: 'Sign in to see your tickets.' }
        : {
            tickets: own.ticket_queue.filter(
              ticket => ticket.created_by === own.current_user && (status === undefined || status === 'None' || ticket.status === status),
            ),
          },
  }
})()
