/* BFCL's TwitterAPI, written for Assay after the documentation of its functions and the states in its data. */
;(() => {
  const tweetOf = (own, id) => (Object.hasOwn(own.tweets, id) ? own.tweets[id] : undefined)
  const missing = id => ({ error: `There is no tweet ${id}.` })
  const signedIn = act => (own, args) => (own.authenticated ? act(own, args) : { error: 'Sign in first.' })
  /** Of a tweet that is there, by a user who is signed in. */
  const onTweet = act => signedIn((own, args) => (tweetOf(own, args.tweet_id) ? act(own, args) : missing(args.tweet_id)))
  return {
    authenticate_twitter: (own, { username, password }) => {
      own.authenticated = username === own.username && password === own.password
      return { authentication_status: own.authenticated }
    },
    posting_get_login_status: own => ({ login_status: own.authenticated }),
    post_tweet: signedIn((own, { content, tags = [], mentions = [] }) => {
      const tweet = { id: own.tweet_counter, username: own.username, content, tags, mentions }
      own.tweets[tweet.id] = tweet
      own.tweet_counter++
      return tweet
    }),
    retweet: onTweet((own, { tweet_id: id }) => {
      const list = (own.retweets[own.username] ??= [])
      if (list.includes(id)) return { retweet_status: 'was retweeted before' }
      list.push(id)
      return { retweet_status: 'retweeted' }
    }),
    comment: onTweet((own, { tweet_id: id, comment_content: comment }) => {
      ;(own.comments[id] ??= []).push({ username: own.username, comment })
      return { comment_status: 'added' }
    }),
    mention: (own, { tweet_id: id, mentioned_usernames: names }) => {
      if (!tweetOf(own, id)) return missing(id)
      tweetOf(own, id).mentions.push(...names)
      return { mention_status: 'mentioned' }
    },
    follow_user: signedIn((own, { username_to_follow: name }) => {
      if (own.following_list.includes(name)) return { follow_status: false }
      own.following_list.push(name)
      return { follow_status: true }
    }),
    unfollow_user: signedIn((own, { username_to_unfollow: name }) => {
      const place = own.following_list.indexOf(name)
      if (place !== -1) own.following_list.splice(place, 1)
      return { unfollow_status: place !== -1 }
    }),
    list_all_following: signedIn(own => ({ following_list: own.following_list })),
    get_tweet: (own, { tweet_id: id }) => tweetOf(own, id) ?? missing(id),
    get_user_tweets: (own, { username }) => ({ user_tweets: Object.values(own.tweets).filter(tweet => tweet.username === username) }),
    search_tweets: (own, { keyword }) => ({
      matching_tweets: Object.values(own.tweets).filter(({ content, tags }) =>
        [content, ...tags].some(text => text.toLowerCase().includes(keyword.toLowerCase())),
      ),
    }),
    get_tweet_comments: (own, { tweet_id: id }) => (tweetOf(own, id) ? { comments: own.comments[id] ?? [] } : missing(id)),
    get_user_stats: (own, { username }) => ({
      tweet_count: Object.values(own.tweets).filter(tweet => tweet.username === username).length,
      following_count: username === own.username ? own.following_list.length : 0,
      retweet_count: (own.retweets[username] ?? []).length,
    }),
  }
})()
