
  `PROPERTY(answered_in_latency, 1'b1, m_pick_valid == x_valid[LATENCY])
  `PROPERTY(tag_is_its_own, m_pick_valid, m_pick_tag == x_tag[LATENCY*TAG_W -: TAG_W])
  `PROPERTY(never_an_invalid_path, m_pick_valid && !m_pick_none && m_pick_index == pick, pick_usable)
  `PROPERTY(saturated_only_if_all, m_pick_valid && any_alive && m_pick_index == pick, pick_alive && !m_pick_none && !m_pick_saturated)
  `PROPERTY(lowest_if_all_saturated, m_pick_valid && !some_alive && some_usable, m_pick_saturated && !m_pick_none && m_pick_index == first)
  `PROPERTY(none_if_none, m_pick_valid && !some_usable, m_pick_none && !m_pick_saturated)
